#if YAML
    import AtmosphereRouting

    /// Follows aliases (YAML 1.2.2 §7.1) within bounds.
    ///
    /// The parser never sees one: composing hashes keys, and a key made of aliases to lists of aliases takes exponential
    /// time. So each `*` stands as another character in the text that is composed, and a plain scalar that begins with
    /// that one is an alias. What it names is put in its place, and counted as often as it is.
    struct AliasTable {
        /// What an anchor names.
        struct Named {
            var node: RouteNode
            var count: Int
            var height: Int
        }

        private let limit: Int
        /// How many values aliases stand for so far.
        private var spent = 0
        /// From the private use area; none that the text has.
        private var mark: Unicode.Scalar = "\u{E000}"
        private var named: [String: Named] = [:]

        init(limit: Int) { self.limit = limit }

        /// The text with the mark for each `*`; of the same width.
        mutating func hiding(_ text: String) -> String {
            let taken = Set(text.unicodeScalars.lazy.filter { (0xE000...0xF8FF).contains($0.value) })
            let marks = (UInt32(0xE000)...0xF8FF).lazy.compactMap { Unicode.Scalar($0) }
            mark = marks.first { !taken.contains($0) } ?? mark
            return Self.replacing("*", with: mark, in: text)
        }

        /// A scalar as it was written.
        func showing(_ text: String) -> String { Self.replacing(mark, with: "*", in: text) }

        /// The name that a plain scalar refers to; nil where it is no alias.
        func alias(_ text: String) -> String? {
            guard text.unicodeScalars.first == mark else { return nil }
            return showing(String(String.UnicodeScalarView(text.unicodeScalars.dropFirst())))
        }

        func value(of name: String) -> Named? { named[name] }

        /// - Parameter height: of a single value 1.
        mutating func keep(_ node: RouteNode, as name: String, count: Int, height: Int) {
            named[name] = Named(node: node, count: count, height: height)
        }

        /// - Returns: false where aliases would stand for too much.
        mutating func spend(_ count: Int) -> Bool {
            spent += count
            return spent <= limit
        }

        private static func replacing(
            _ old: Unicode.Scalar, with new: Unicode.Scalar, in text: String
        ) -> String {
            guard text.unicodeScalars.contains(old) else { return text }
            var scalars = String.UnicodeScalarView()
            scalars.append(contentsOf: text.unicodeScalars.lazy.map { $0 == old ? new : $0 })
            return String(scalars)
        }
    }

    extension RouteNode {
        /// What `<<` merges: a map's entries, or those of several maps, the first of a name.
        var mergedEntries: [Entry] {
            switch content {
            case .map(let entries): return entries
            case .list(let elements):
                var seen: Set<String> = []
                return elements.flatMap(\.mergedEntries).filter { seen.insert($0.key).inserted }
            case .scalar: return []
            }
        }
    }
#endif
