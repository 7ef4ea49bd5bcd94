/// English plurals of resource names, by the last word: `line_items`, `line-items` and `lineItems` follow `items`.
///
/// A short list of rules in the order in which they are tried, the words that have none, and the words that have no
/// plural. Not all of English: a resource may say its own `singular` and `plural`.
enum Inflection {
    static func plural(_ name: String) -> String {
        changed(name) { word in
            if uncountable.contains(word) || irregular.contains(where: { $0.plural == word }) { return word }
            if let known = irregular.first(where: { $0.singular == word }) { return known.plural }
            // A word that reads as a plural is one.
            if plural(ofSingular: singular(ofPlural: word)) == word, singular(ofPlural: word) != word { return word }
            return plural(ofSingular: word)
        }
    }

    static func singular(_ name: String) -> String {
        changed(name) { word in
            if uncountable.contains(word) || irregular.contains(where: { $0.singular == word }) { return word }
            return irregular.first { $0.plural == word }?.singular ?? singular(ofPlural: word)
        }
    }

    private static let uncountable: Set<String> = [
        "equipment", "information", "rice", "money", "species", "series", "fish", "sheep", "police", "news", "feedback",
        "metadata", "software"
    ]

    private static let irregular: [(singular: String, plural: String)] = [
        ("person", "people"), ("man", "men"), ("woman", "women"), ("child", "children"), ("foot", "feet"),
        ("tooth", "teeth"), ("goose", "geese"), ("mouse", "mice"), ("ox", "oxen"), ("datum", "data"),
        ("medium", "media"), ("criterion", "criteria"), ("phenomenon", "phenomena"), ("move", "moves"),
        ("quiz", "quizzes"), ("shoe", "shoes"), ("movie", "movies"), ("alias", "aliases"), ("status", "statuses"),
        ("bus", "buses"), ("virus", "viruses"), ("octopus", "octopuses"), ("campus", "campuses"), ("bonus", "bonuses"),
        ("lens", "lenses"), ("gas", "gases"), ("canvas", "canvases"), ("atlas", "atlases"), ("index", "indices"),
        ("axis", "axes"), ("menu", "menus"), ("matrix", "matrices"), ("vertex", "vertices"), ("appendix", "appendices"),
        ("cache", "caches"),
        ("leaf", "leaves"), ("half", "halves"), ("wolf", "wolves"), ("shelf", "shelves"), ("self", "selves"),
        ("calf", "calves"), ("thief", "thieves"), ("knife", "knives"), ("wife", "wives"), ("life", "lives"),
        ("tie", "ties"), ("pie", "pies"), ("cookie", "cookies"), ("zombie", "zombies"), ("tomato", "tomatoes"),
        ("potato", "potatoes"), ("hero", "heroes"), ("echo", "echoes"), ("veto", "vetoes")
    ]

    private static func plural(ofSingular word: String) -> String {
        if word.hasSuffix("sis") { return word.dropLast(2) + "es" }
        if let ending = ["s", "x", "z", "ch", "sh"].first(where: word.hasSuffix), !ending.isEmpty { return word + "es" }
        if word.hasSuffix("y"), let before = word.dropLast().last, !"aeiou".contains(before) {
            return word.dropLast() + "ies"
        }
        return word + "s"
    }

    private static func singular(ofPlural word: String) -> String {
        if word.hasSuffix("ses"),
            let stem = ["analy", "ba", "diagno", "parenthe", "progno", "synop", "the", "cri"]
                .first(where: { word == $0 + "ses" || word.hasSuffix("_\($0)ses") })
        {
            return stem + "sis"
        }
        if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
        if let ending = ["sses", "xes", "zzes", "ches", "shes"].first(where: word.hasSuffix), word.count > ending.count
        {
            return String(word.dropLast(2))
        }
        if word.hasSuffix("ss") || word.hasSuffix("us") || word.hasSuffix("is") { return word }
        return word.hasSuffix("s") ? String(word.dropLast()) : word
    }

    /// Changes the last word of a name; a capital letter, a dash and an underscore begin one.
    private static func changed(_ name: String, _ change: (String) -> String) -> String {
        var start = name.startIndex
        for index in name.indices where index != name.startIndex {
            if name[index].isUppercase {
                start = index
            } else if name[index] == "_" || name[index] == "-" {
                start = name.index(after: index)
            }
        }
        let word = name[start...]
        guard let first = word.first else { return name }
        let changed = change(word.lowercased())
        return name[..<start] + (first.isUppercase ? changed.prefix(1).uppercased() + changed.dropFirst() : changed)
    }
}
