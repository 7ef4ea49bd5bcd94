#if XML
    internal import AtmosphereExchange

    /// Writes an XML document as JSON; ``XMLExtractor`` says what becomes of an element.
    package struct XMLConversion {
        var tree = XMLTree()
        /// The JSON so far.
        var out: [UInt8] = []
        /// For messages: a byte of the JSON, and in which line the element begins that it is of. Further bytes will
        /// stand in front of ``out``.
        var sought: (offset: Int, line: Int32?, inFront: Int)?

        /// The first element at the path of the items, or the one item; -1 where it is missing.
        private var itemsElement: Int32 = -1
        /// The element around the items where the path names these; it keeps its members, whatever its type says.
        private var itemsParent: Int32 = -1
        /// The empty element in which the items' element is missing, and the name it would have.
        private var emptyList: (parent: Int32, name: ArraySlice<UInt8>)?
        private var totalElement: Int32 = -1
        private var isList = false
        private var itemRoot: Int32?
        private var idName: Int32?
        /// By the names' indices.
        private var types: [Int32: FieldType] = [:]
        private var repeated: Set<Int32> = []
        /// The name of the elements, by that of their list.
        private var wrapped: [Int32: Int32] = [:]
        /// Repeated elements that an item may lack, which makes its list empty.
        private var missingLists: [(name: Int32, member: [UInt8])] = []
        /// How many lists so far had something that an array cannot hold.
        private var shortLists = 0
        /// The items that were written while the document was read; `offset` is where they belong.
        var written: (place: XMLItemStream.Place, items: [UInt8], line: Int32?, offset: Int?)?
        /// An empty element was null because nothing in the document had said a type so far.
        var tookEmptyForNull = false

        private mutating func begin(_ element: Int32) {
            guard let sought, sought.inFront + out.count <= sought.offset else { return }
            self.sought?.line = tree.lines[Int(element)]
        }

        // MARK: Where things stand

        /// What is known of names before the document is read.
        mutating func prepare(_ selectors: Selectors) {
            isList = selectors.isList
            itemRoot = selectors.itemRoot.map { tree.index(ofName: $0) }
            idName = Self.firstMember(selectors.id).map { tree.index(ofName: $0) }
            for (name, type) in selectors.types { types[tree.index(ofName: name)] = type }
            for (name, form) in selectors.lists {
                let index = tree.index(ofName: name)
                switch form {
                case .repeated:
                    repeated.insert(index)
                    missingLists.append((index, Array("\"\(name)\":[]".utf8)))
                case .wrapped(let item): wrapped[index] = tree.index(ofName: item)
                }
            }
            for case .member(let name) in selectors.items?.steps ?? [] { _ = tree.index(ofName: name) }
            // Else “False” would be a text, and so mark every object as deleted.
            if let deleted = selectors.deleted, deleted.steps.count == 1, let name = Self.firstMember(deleted),
                selectors.deletedEquals.map({ $0.bool != nil }) ?? true
            {
                let index = tree.index(ofName: name)
                types[index] = types[index] ?? .boolean
            }
        }

        mutating func locate(_ selectors: Selectors) {
            if let total = selectors.total, case (let element, 0)? = follow(total) { totalElement = element }

            guard let items = selectors.items else {
                itemsElement = 0
                return
            }
            switch follow(items) {
            case (let element, 0)?:
                itemsElement = element
                if isList, let around = follow(JSONPath(Array(items.steps.dropLast(items.steps.last == .all ? 2 : 1)))),
                    around.missing == 0, around.element != element
                {
                    itemsParent = around.element
                }
            case (let parent, 1)? where isList && (isEmpty(parent) || totalIsZero):
                if case .member(let name)? = items.steps.last(where: { $0 != .all }) {
                    emptyList = (parent, Array(name.utf8)[...])
                }
            default: break
            }
        }

        /// Goes down from the root: where the path ends, and how many of its members were not found. nil for a path that
        /// has more than members (a final `[*]` is the array itself).
        private func follow(_ path: JSONPath) -> (element: Int32, missing: Int)? {
            var steps = path.steps[...]
            if steps.last == .all { steps.removeLast() }
            var element: Int32 = 0
            while case .member(let name)? = steps.first {
                guard let index = tree.knownIndex(ofName: name), let child = tree.child(of: element, named: index)
                else {
                    return (element, steps.count)
                }
                element = child
                steps.removeFirst()
            }
            return steps.isEmpty ? (element, 0) : nil
        }

        private static func firstMember(_ path: JSONPath) -> String? {
            if case .member(let name)? = path.steps.first { name } else { nil }
        }

        private func isEmpty(_ element: Int32) -> Bool {
            !tree.hasElements(element) && tree.trimmedText(of: element).isEmpty
        }

        private var totalIsZero: Bool {
            totalElement >= 0 && tree.trimmedText(of: totalElement).elementsEqual("0".utf8)
        }

        // MARK: Elements

        mutating func write(_ element: Int32, as type: FieldType? = nil) {
            if element == itemsElement, written?.place == .repeated { return leavePlace() }
            begin(element)
            if element == itemsElement { return writeItems(element) }
            if tree[element].kind == .null { return append("null") }
            if element == itemsParent || emptyList?.parent == element && !isBare(element) {
                return writeObject(element)
            }
            if isArray(element) { return writeArray(of: element) { $0.write($1) } }
            if tree.hasChildren(element) || emptyList?.parent == element { return writeObject(element) }
            writeText(element, as: element == totalElement ? .integer : type)
        }

        /// The root, which stands for the items itself where it is a list without any.
        private func isBare(_ element: Int32) -> Bool { element == 0 && isArray(element) && !tree.hasChildren(element) }

        private func isArray(_ element: Int32) -> Bool {
            tree[element].kind == .array || (tree[element].holdsListItems && tree.hasElements(element))
        }

        /// `element` is alone at the path of the items.
        private mutating func writeItems(_ element: Int32) {
            guard isList else { return writeItem(element) }
            if written != nil { return leavePlace() }
            if tree[element].kind == .null { return append("null") }
            if isArray(element) { return writeArray(of: element) { $0.writeItem($1) } }
            // An item may have nothing but attributes, and is no empty list then.
            if isItem(element) {
                // The root cannot repeat, so it is not a list of one; the extractor says what was expected.
                if element == 0 { return writeItem(element) }
                append("[")
                writeItem(element)
                return append("]")
            }
            if isEmpty(element) || childrenShareOneName(element) { return writeArray(of: element) { $0.writeItem($1) } }
            writeValue(element)
        }

        /// The items belong here that are written already.
        private mutating func leavePlace() {
            append("[")
            written?.offset = out.count
            sought?.inFront = written?.items.count ?? 0
            if let line = written?.line { sought?.line = line }
            append("]")
        }

        /// Whether an element looks like an item rather than like what stands around items.
        func isItem(_ element: Int32) -> Bool {
            idName.flatMap { tree.child(of: element, named: $0) } != nil
                || itemRoot.flatMap { tree.child(of: element, named: $0) } != nil
        }

        private func childrenShareOneName(_ element: Int32) -> Bool {
            let first = tree.firstElement(of: element)
            guard first >= 0 else { return false }
            var child = tree[first].nextSibling
            while child >= 0 {
                if tree[child].name != tree[first].name { return false }
                child = tree[child].nextSibling
            }
            return true
        }

        mutating func writeItem(_ item: Int32) {
            begin(item)
            guard tree[item].kind != .null, !isArray(item), tree.hasChildren(item) else { return writeValue(item) }
            if let itemRoot, tree[tree[item].firstChild].name == itemRoot, tree[tree[item].firstChild].nextSibling < 0 {
                tree[tree[item].firstChild].dropsAttributes =
                    tree[tree[item].firstChild].dropsAttributes || tree[item].dropsAttributes
                return writeObject(item) { $0.writeRecord($1) }
            }
            writeRecord(item)
        }

        private mutating func writeRecord(_ item: Int32) {
            writeObject(item, isRecord: true) { $0.writeMember($1) }
        }

        private mutating func writeMember(_ element: Int32) {
            let name = tree[element].name
            guard let item = wrapped[name], element != itemsElement, tree[element].kind != .null,
                holdsOnly(item, element)
            else { return write(element, as: types[name]) }
            writeArray(of: element) { $0.write($1) }
        }

        /// Whether an element has nothing but elements of this name, or nothing at all.
        private func holdsOnly(_ name: Int32, _ element: Int32) -> Bool {
            var child = tree.firstElement(of: element)
            if child < 0 { return tree.trimmedText(of: element).isEmpty }
            while child >= 0 {
                if tree[child].name != name { return false }
                child = tree[child].nextSibling
            }
            return true
        }

        /// As ``write(_:as:)``, for an element that may be the items' own.
        private mutating func writeValue(_ element: Int32) {
            if element == itemsElement { itemsElement = -1 }
            write(element)
        }

        private mutating func writeArray(of element: Int32, _ each: (inout Self, Int32) -> Void) {
            append("[")
            var child = tree.firstElement(of: element)
            if child != tree[element].firstChild || child < 0 && !tree.trimmedText(of: element).isEmpty {
                shortLists += 1
            }
            while child >= 0 {
                each(&self, child)
                child = tree[child].nextSibling
                if child >= 0 { append(",") }
            }
            append("]")
        }

        private mutating func writeObject(
            _ element: Int32, isRecord: Bool = false, _ each: (inout Self, Int32) -> Void = { $0.write($1) }
        ) {
            tree.group(childrenOf: element)
            append("{")
            var isFirst = true
            var unread: [Int32] = []
            var child = tree[element].firstChild
            while child >= 0 {
                let shortBefore = shortLists
                if !tree[child].isRepeat {
                    if !isFirst { append(",") }
                    isFirst = false
                    out.append(contentsOf: tree.memberNames[Int(tree[child].name)])
                    if tree[child].nextOfName >= 0 || isRecord && repeated.contains(tree[child].name) {
                        writeRepeated(child, each)
                    } else {
                        each(&self, child)
                    }
                }
                if isRecord, tree[child].isShort || shortLists != shortBefore, !unread.contains(tree[child].name) {
                    unread.append(tree[child].name)
                }
                child = tree[child].nextSibling
            }
            if isRecord {
                if !unread.isEmpty || tree[element].dropsAttributes || tree[element].dropsText {
                    if !isFirst { append(",") }
                    isFirst = false
                    writeUnread(unread, of: element)
                }
                for list in missingLists where tree.child(of: element, named: list.name) == nil {
                    if !isFirst { append(",") }
                    isFirst = false
                    out.append(contentsOf: list.member)
                }
            }
            if let emptyList, emptyList.parent == element {
                if !isFirst { append(",") }
                Self.writeString(emptyList.name, to: &out)
                append(":[]")
            }
            append("}")
        }

        /// The member that says what of a record was not read.
        private mutating func writeUnread(_ names: [Int32], of record: Int32) {
            Self.writeString(Array(ObjectRecord.unread.utf8)[...], to: &out)
            append(":[")
            // Without their colons.
            var members = names.map { Array(tree.memberNames[Int($0)].dropLast()) }
            if tree[record].dropsText { members.insert(Array("\"#text\"".utf8), at: 0) }
            if tree[record].dropsAttributes { members.insert(Array("\"@\"".utf8), at: 0) }
            for (index, member) in members.enumerated() {
                if index > 0 { append(",") }
                out.append(contentsOf: member)
            }
            append("]")
        }

        private mutating func writeRepeated(_ first: Int32, _ each: (inout Self, Int32) -> Void) {
            let areItems = first == itemsElement
            append("[")
            var element = first
            while element >= 0 {
                if areItems { writeItem(element) } else { each(&self, element) }
                element = tree[element].nextOfName
                if element >= 0 { append(",") }
            }
            append("]")
        }
    }
#endif
