#if XML
    /// A document's elements in the order of the text: flat arrays, because a page has tens of thousands of them.
    struct XMLTree {
        /// What the attributes `type` and `nil` say.
        enum Kind: UInt8 {
            case untyped, null, array, number, boolean, string
        }

        struct Element {
            /// An index into ``XMLTree/names``.
            var name: Int32
            var kind: Kind
            /// All children so far are called `list-item`.
            var holdsListItems = false
            /// An attribute of its parent, or the text beside the attributes: `@name`, `#text`.
            var isAttribute = false
            /// Follows another child of the same name.
            var isRepeat = false
            /// It has attributes that are not read.
            var dropsAttributes = false
            /// It has text that is not read, beside elements or where it says that it is null.
            var dropsText = false
            /// It, or an element in it, has something that is not read.
            var isShort = false
            /// Indices of elements; -1 for none.
            var firstChild: Int32 = -1
            var nextSibling: Int32 = -1
            /// The next child of the same parent and name; set by ``XMLTree/group(childrenOf:)``.
            var nextOfName: Int32 = -1
            /// The text of an element without children, in ``XMLTree/text``.
            var textStart: Int32
            var textEnd: Int32

            init(name: Int32, kind: Kind, textStart: Int32) {
                self.name = name
                self.kind = kind
                self.textStart = textStart
                textEnd = textStart
            }
        }

        /// The root is first.
        var elements: [Element] = []
        /// In which line each element begins, where that was asked for; else empty.
        var lines: [Int32] = []
        var text: [UInt8] = []
        /// As they begin a JSON member, with quotes and colon; no XML name has anything to escape (XML 1.0 §2.3).
        private(set) var memberNames: [[UInt8]] = []
        /// Any element says `nil`, or a `type` other than that of a list.
        var usesTypes = false

        private var indexOfName: [[UInt8]: Int32] = [:]
        /// The last child of each name that ``group(childrenOf:)`` saw, and in which round.
        private var lastOfName: [(round: Int, element: Int32)] = []
        private var round = 0

        /// - Parameter name: with underscores for dashes.
        mutating func index(ofName name: [UInt8]) -> Int32 {
            if let index = indexOfName[name] { return index }
            let index = Int32(memberNames.count)
            indexOfName[name] = index
            memberNames.append([UInt8(ascii: "\"")] + name + [UInt8(ascii: "\""), UInt8(ascii: ":")])
            lastOfName.append((0, -1))
            return index
        }

        mutating func index(ofName name: String) -> Int32 { index(ofName: Array(name.utf8)) }

        /// nil where no element has this name.
        func knownIndex(ofName name: String) -> Int32? { indexOfName[Array(name.utf8)] }

        subscript(element: Int32) -> Element {
            _read { yield elements[Int(element)] }
            _modify { yield &elements[Int(element)] }
        }

        func hasChildren(_ element: Int32) -> Bool { self[element].firstChild >= 0 }

        /// The first child that is an element; -1 where there is none.
        func firstElement(of element: Int32) -> Int32 {
            var child = self[element].firstChild
            while child >= 0, self[child].isAttribute { child = self[child].nextSibling }
            return child
        }

        func hasElements(_ element: Int32) -> Bool { firstElement(of: element) >= 0 }

        func child(of element: Int32, named name: Int32) -> Int32? {
            var child = self[element].firstChild
            while child >= 0 {
                if self[child].name == name { return child }
                child = self[child].nextSibling
            }
            return nil
        }

        func text(of element: Int32) -> ArraySlice<UInt8> {
            text[Int(self[element].textStart)..<Int(self[element].textEnd)]
        }

        /// Without white space around it (XML 1.0 §2.3).
        func trimmedText(of element: Int32) -> ArraySlice<UInt8> {
            var slice = text(of: element)
            while let first = slice.first, Self.isSpace(first) { slice.removeFirst() }
            while let last = slice.last, Self.isSpace(last) { slice.removeLast() }
            return slice
        }

        /// Chains children of the same name through ``Element/nextOfName`` and marks all but the first as repeats.
        mutating func group(childrenOf element: Int32) {
            round += 1
            var child = self[element].firstChild
            while child >= 0 {
                let name = Int(self[child].name)
                if lastOfName[name].round == round {
                    self[lastOfName[name].element].nextOfName = child
                    self[child].isRepeat = true
                }
                lastOfName[name] = (round, child)
                child = self[child].nextSibling
            }
        }

        static func isSpace(_ byte: UInt8) -> Bool {
            byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
        }
    }
#endif
