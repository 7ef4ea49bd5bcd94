#if Command
    internal import Atmosphere

    /// Parameters that hide objects from a list unless they are sent: a full pull has to have all of them.
    struct HidingParameters {
        /// What a list is asked with, so that it shows what it hides.
        private(set) var query: Value.Members = [:]
        /// It is asked for deleted objects, too.
        private(set) var showsDeleted = false
        /// Parameters with one value of several by default, of which another stands for all.
        private(set) var choices: [(name: String, usual: String, all: String)] = []

        /// - Parameter showsDeletion: objects say whether they are deleted; else nobody could tell those that are.
        init(of list: APIDescription.Operation, showsDeletion: Bool) {
            for (name, schema) in list.query {
                readFlag(name, schema, showsDeletion)
                guard let usual = schema?.fallbackText else { continue }
                let values = (schema?.choices ?? []) + (schema?.items?.choices ?? [])
                guard let all = values.first(where: { ["all", "any"].contains($0.lowercased()) }), all != usual else {
                    continue
                }
                choices.append((name, usual, all))
            }
        }

        private mutating func readFlag(_ name: String, _ schema: APISchema?, _ showsDeletion: Bool) {
            let words = Self.words(name)
            guard schema?.type == "boolean", words.count >= 2 else { return }
            let isShown = Self.showing.contains(words[0])
            guard isShown || Self.hiding.contains(words[0]), schema?.fallbackFlag != isShown,
                // What hides does so only where that is said to be the default.
                isShown || schema?.fallbackFlag == true
            else { return }
            let rest = Set(words.dropFirst())
            if !rest.isDisjoint(with: Self.gone) {
                guard isShown, showsDeletion else { return }
                query[name] = true
                showsDeleted = true
            } else if !rest.isDisjoint(with: Self.hidden) {
                query[name] = .bool(isShown)
            }
        }

        private static let showing: Set<String> = ["show", "include", "with", "list", "return", "display"]
        private static let hiding: Set<String> = ["hide", "exclude", "without", "omit", "skip"]
        /// Objects that lists leave out unless they are asked for, as APIs call them.
        private static let hidden: Set<String> = [
            "hidden", "completed", "done", "closed", "resolved", "archived", "inactive", "disabled", "suspended",
            "assigned", "expired", "cancelled", "canceled", "drafts", "unpublished", "invisible", "private", "snoozed",
            "muted", "all"
        ]
        private static let gone: Set<String> = ["deleted", "trashed", "removed", "trash"]

        /// The words of a name, in lower case: `showHidden`, `show_hidden` and `show-hidden` have the same.
        private static func words(_ name: String) -> [String] {
            var words = [""]
            for character in name {
                if !character.isLetter, !character.isNumber {
                    words.append("")
                } else if character.isUppercase, words.last?.last?.isLowercase != false {
                    words.append(character.lowercased())
                } else {
                    words[words.count - 1] += character.lowercased()
                }
            }
            return words.filter { !$0.isEmpty }
        }
    }
#endif
