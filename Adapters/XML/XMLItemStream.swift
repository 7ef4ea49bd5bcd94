#if XML
    internal import AtmosphereExchange

    /// Writes the items of a list as their elements close, and lets these go, so that a list takes the memory of one
    /// item as elements.
    ///
    /// An element is an item by its place, which the path of the items says. What shows only later is assumed until
    /// then: that the first element at this path stands around the items where its children look alike, and that a
    /// document in which nothing has said a type so far says none. Where the document shows that it is not so, the
    /// stream is refuted, and the document is read once more without the assumption.
    struct XMLItemStream {
        struct Assumptions {
            /// The element at the path of the items may be a list of them.
            var mayStandAround = true
            /// Something in the document says a type, or `nil`.
            var hasTypes = false
        }

        /// How the items stand in the element that is left in the tree.
        enum Place {
            /// It is the first of them.
            case repeated
            /// It stands around them.
            case around
        }

        /// Has the items in its ``XMLConversion/out``.
        var writer: XMLConversion
        /// nil while no item is written; those of a list of none or one are not.
        private(set) var place: Place?
        private(set) var assumptions: Assumptions
        /// An assumption was wrong; ``assumptions`` says what is so instead.
        private(set) var isRefuted = false
        /// How many elements are written and not in the tree.
        private(set) var released = 0

        /// From the root's children on.
        private let path: [Int32]
        private let room: Int
        /// The root and the first elements on the path from it, as far as they are known.
        private var way: [Int32] = []
        /// What all children of the element around the items are called; nil where that does not matter.
        private var name: Int32?
        /// The item that is open, and where its text begins.
        private var item: (element: Int32, text: Int)?

        /// - Parameters:
        ///   - writer: knows the names that the selectors have.
        ///   - room: about how many bytes the items will take.
        /// - Returns: nil for one object, where there is a total inside the items, and for a path that has more than names
        ///   (a final `[*]` is the array itself): which elements such a path means shows only in the whole document.
        init?(_ writer: XMLConversion, _ selectors: Selectors, _ assumptions: Assumptions, room: Int) {
            guard selectors.isList else { return nil }
            self.writer = writer
            self.room = room
            self.assumptions = assumptions
            var steps = (selectors.items?.steps ?? [])[...]
            if steps.last == .all { steps.removeLast() }
            if let total = selectors.total?.steps, total.starts(with: steps) {
                guard case .member(let name)? = total.dropFirst(steps.count).first, name.hasPrefix("@") else {
                    return nil
                }
            }
            var path: [Int32] = []
            for step in steps {
                guard case .member(let name) = step, let index = writer.tree.knownIndex(ofName: name) else {
                    return nil
                }
                path.append(index)
            }
            self.path = path
        }

        /// Whether the element that opens is written when it closes, and not linked to its parent; asked before it is
        /// in the tree. It may be refuted afterwards.
        ///
        /// - Parameter parent: nil for the root.
        mutating func opens(_ element: Int32, named name: Int32, in parent: Int32?, _ tree: inout XMLTree) -> Bool {
            guard let parent, let last = way.last else {
                way = [element]
                return false
            }
            guard item == nil else { return false }
            if way.count <= path.count {
                if parent == last, name == path[way.count - 1] { way.append(element) }
                return false
            }
            let isItem =
                if parent == last {
                    isInside(last, named: name, &tree)
                } else if way.count > 1, parent == way[way.count - 2], name == path.last {
                    repeats(last, &tree)
                } else {
                    false
                }
            if isItem { item = (element, tree.text.count) }
            return isItem
        }

        /// Another element of the items' name stands beside the first: each is an item.
        private mutating func repeats(_ first: Int32, _ tree: inout XMLTree) -> Bool {
            switch place {
            case .around:
                assumptions.mayStandAround = false
                isRefuted = true
                return false
            case nil:
                place = .repeated
                write(first, &tree)
            case .repeated: break
            }
            return true
        }

        /// The element at the items' path has another child.
        private mutating func isInside(_ around: Int32, named name: Int32, _ tree: inout XMLTree) -> Bool {
            if place == .around {
                if let all = self.name, all != name {
                    assumptions.mayStandAround = false
                    isRefuted = true
                }
                return !isRefuted
            }
            let first = tree.firstElement(of: around)
            guard assumptions.mayStandAround, first >= 0 else { return false }
            let isArray = tree[around].kind == .array
            guard isArray || tree[around].kind != .null && tree[first].name == name && !looksLikeItem(around, &tree)
            else {
                assumptions.mayStandAround = false
                return false
            }
            place = .around
            self.name = isArray ? nil : name
            write(first, &tree)
            return true
        }

        private mutating func looksLikeItem(_ element: Int32, _ tree: inout XMLTree) -> Bool {
            swap(&tree, &writer.tree)
            defer { swap(&tree, &writer.tree) }
            return writer.isItem(element)
        }

        /// An element closes: an item is written, and is no longer in the tree.
        mutating func closes(_ element: Int32, _ tree: inout XMLTree) {
            guard let item, item.element == element else { return }
            self.item = nil
            write(element, &tree)
            let count = tree.elements.count - Int(element)
            released += count
            tree.elements.removeLast(count)
            tree.text.removeLast(tree.text.count - item.text)
            if !tree.lines.isEmpty { tree.lines.removeLast(count) }
        }

        private mutating func write(_ element: Int32, _ tree: inout XMLTree) {
            swap(&tree, &writer.tree)
            if writer.out.isEmpty { writer.out.reserveCapacity(room) } else { writer.append(",") }
            writer.writeItem(element)
            swap(&tree, &writer.tree)
        }

        /// The document says a type, or `nil`, for the first time.
        mutating func typesAppear() {
            guard writer.tookEmptyForNull else { return }
            assumptions.hasTypes = true
            isRefuted = true
        }
    }
#endif
