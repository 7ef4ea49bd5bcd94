/// A value of the completed tree, read as what the vocabulary says it is.
///
/// Reading never fails: what cannot be read was noted by the check, and no route file is made then.
package struct RouteSection {
    var node: RouteNode?

    init(_ node: RouteNode?) { self.node = node }

    subscript(key: String) -> RouteSection { RouteSection(node?[key]) }

    var isPresent: Bool { node.map { !$0.isNull } ?? false }
    var place: RoutePlace { node?.place ?? .default }

    var text: String? { isPresent ? node?.text : nil }
    var isTrue: Bool { text == "true" }
    var whole: Int? { text.flatMap(NumberText.whole) }
    var size: Int? { text.flatMap(NumberText.size) }
    var rate: Double? { text.flatMap(NumberText.rate) }
    var duration: Duration? { text.flatMap(NumberText.duration) }
    var selector: JSONPath? { text.flatMap { try? JSONPath($0) } }
    package var path: PathTemplate? { text.flatMap { try? PathTemplate(PathText.normalized($0)) } }

    func word<Word: RawRepresentable>(_ fallback: Word) -> Word where Word.RawValue == String {
        text.flatMap(Word.init(rawValue:)) ?? fallback
    }

    var secret: SecretName { SecretName(String((text ?? "").dropFirst("secret:".count))) }
    var credential: Credential {
        text?.hasPrefix("secret:") == true ? .secret(secret) : .literal(text ?? "")
    }

    /// A person types what stands here.
    var isAsked: Bool { text == "ask" }

    var isList: Bool { if case .list = node?.content { true } else { false } }
    var list: [RouteSection] { node?.elements.map { RouteSection($0) } ?? [] }
    var texts: [String] { list.compactMap(\.text) }
    var named: [(name: String, place: RoutePlace, section: RouteSection)] {
        node?.entries.map { ($0.key, $0.place, RouteSection($0.node)) } ?? []
    }
    var namedTexts: [NamedText] {
        named.compactMap { each in each.section.text.map { NamedText(name: each.name, value: $0) } }
    }

    /// Any JSON value: plain `null`, `true`, `false` and JSON numbers count as such, everything else is a string.
    var value: Value {
        switch node?.content {
        case .scalar(let text, isPlain: true):
            switch text {
            case "true": .bool(true)
            case "false": .bool(false)
            default: node?.isNull == true ? .null : JSONNumber(text).map { .number($0) } ?? .string(text)
            }
        case .scalar(let text, isPlain: false): .string(text)
        case .list: .array(list.map(\.value))
        case .map: .object(Value.Members(named.map { Value.Member(name: $0.name, value: $0.section.value) }))
        case nil: .null
        }
    }
}
