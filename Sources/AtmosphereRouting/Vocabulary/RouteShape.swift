/// What may stand at one place of a route file. The vocabulary is written down once, in these, and read by the check,
/// the merge, the defaults and `atmos explain`.
package indirect enum RouteShape: Sendable {
    case leaf(RouteLeaf)
    /// `mayBeSingle`: one element may stand without brackets.
    case list(RouteShape, mayBeSingle: Bool = false)
    case map(RouteMapShape)
    /// Names that the author chooses, each with the same shape.
    case named(RouteLeaf, RouteShape)
    /// Any JSON value.
    case anything
}

/// A map with known keys.
package struct RouteMapShape: Sendable {
    var keys: [RouteKey]
    /// What a single word in place of the map means.
    var word = Word.none
    /// The key that decides which others apply. Another kind starts afresh: nothing of the inherited map is kept.
    var kind: String?
    /// Of these keys at most one may stand.
    var oneOf: [String] = []
    /// And one must.
    var needsOne = false
    /// Keys that may stand beside one of ``oneOf``, and are enough alone.
    var orAlone: [String] = []
    /// `null` stays in force and says that there is none, where elsewhere it only removes a default.
    var isOffByNull = false
    /// Keys of the vocabulary that later versions will have.
    var later: [String] = []
    /// What to write in the place of keys that people expect here.
    var instead: [String: String] = [:]

    enum Word: Sendable {
        case none
        /// The word is short for a map with the word at these keys.
        case at([String])
        /// Each word is short for its map; `null` removes what was inherited.
        case short([String: [String: String]])
        /// These words stand for themselves.
        case itself([String])
    }

    init(_ keys: [RouteKey]) { self.keys = keys }

    func key(_ name: String) -> RouteKey? { keys.first { $0.name == name } }

    func with<Value>(_ path: WritableKeyPath<RouteMapShape, Value>, _ value: Value) -> RouteMapShape {
        var copy = self
        copy[keyPath: path] = value
        return copy
    }
}

/// One key of a map.
struct RouteKey: Sendable {
    enum Fallback: Sendable, Equatable {
        /// Nothing is in force where nothing is written.
        case none
        /// This value is.
        case scalar(String)
        /// The map's own fallbacks are.
        case members
    }

    var name: String
    var shape: RouteShape
    var fallback: Fallback
    var isRequired: Bool
    /// The kinds of the map that the key applies to; empty for all.
    var kinds: [String]

    /// The words that may stand here; nil where it is not one of a few.
    var words: [String]? { if case .leaf(.choice(let words)) = shape { words } else { nil } }

    /// `null` is a value here, and not the removal of one.
    var mayBeNull: Bool { if case .map(let map) = shape { map.isOffByNull } else { false } }

    init(
        _ name: String, _ shape: RouteShape, _ fallback: Fallback = .none, isRequired: Bool = false,
        kinds: [String] = []
    ) {
        self.name = name
        self.shape = shape
        self.fallback = fallback
        self.isRequired = isRequired
        self.kinds = kinds
    }
}
