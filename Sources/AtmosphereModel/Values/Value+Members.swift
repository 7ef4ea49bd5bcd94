extension Value {
    /// One name and value of an object.
    public struct Member: Sendable, Hashable {
        /// Decoded; compared by Unicode scalars.
        public var name: String
        /// What the name stands for.
        public var value: Value

        /// A name with its value.
        public init(name: String, value: Value) {
            self.name = name
            self.value = value
        }

        public static func == (left: Member, right: Member) -> Bool {
            left.name.hasSameBytes(as: right.name) && left.value == right.value
        }
    }

    /// An object's members in their order; a name occurs once (the first of duplicates wins).
    ///
    /// The time to find or set a member by its name does not grow with the number of members. Removing one moves all
    /// members behind it.
    public struct Members: Sendable {
        private var storage: [Member]
        /// Where each name stands in the storage; none for few members.
        private var index: MemberIndex

        /// An object without members.
        public init() {
            storage = []
            index = MemberIndex()
        }

        /// Keeps the first member of each name.
        public init(_ members: some Sequence<Member>) {
            self.init()
            storage.reserveCapacity(members.underestimatedCount)
            for member in members { append(member) }
        }

        /// Takes members whose names are known to differ.
        package init(unique members: [Member]) {
            storage = members
            index = MemberIndex(members)
        }

        /// A member's value. Setting one keeps its place or appends it; setting nil removes it.
        public subscript(name: String) -> Value? {
            get { place(of: name).map { storage[$0].value } }
            set { store(newValue, name, at: place(of: name)) }
            _modify {
                let place = place(of: name)
                var value = Value?.none
                if let place {
                    // The only reference to what is in the value, so that a change of it copies nothing.
                    value = storage[place].value
                    storage[place].value = .null
                }
                defer { store(value, name, at: place) }
                yield &value
            }
        }

        /// In the order of the text.
        package var names: [String] { storage.map(\.name) }

        /// Removes all members that a condition holds for, in one pass.
        package mutating func removeAll(where isRemoved: (Member) -> Bool) {
            let count = storage.count
            storage.removeAll(where: isRemoved)
            if storage.count < count { index = MemberIndex(storage) }
        }

        /// Removes the members of these names, in one pass where there are many.
        package mutating func removeAll(named names: some Collection<String>) {
            guard !index.isNone, names.count > 1 else {
                for name in names { self[name] = nil }
                return
            }
            let gone = Set(names.map { ScalarText($0) })
            removeAll { gone.contains(ScalarText($0.name)) }
        }

        /// Makes the members of these names what they are in another object: those that it lacks are removed.
        package mutating func take(_ names: some Sequence<String>, from other: Members) {
            var gone: [String] = []
            for name in names {
                if let value = other[name] { self[name] = value } else { gone.append(name) }
            }
            removeAll(named: gone)
        }

        /// Sets members, the last of a name; nil removes one.
        package mutating func set(_ changes: [(name: String, value: Value?)]) {
            guard !index.isNone, changes.count > 1 else {
                for change in changes { self[change.name] = change.value }
                return
            }
            var gone = Set<ScalarText>()
            for change in changes {
                if change.value == nil {
                    gone.insert(ScalarText(change.name))
                } else {
                    gone.remove(ScalarText(change.name))
                    self[change.name] = change.value
                }
            }
            if !gone.isEmpty { removeAll { gone.contains(ScalarText($0.name)) } }
        }

        private func place(of name: String) -> Int? {
            index.isNone ? storage.firstIndex { $0.name.hasSameBytes(as: name) } : index.place(of: name, in: storage)
        }

        private mutating func store(_ value: Value?, _ name: String, at place: Int?) {
            switch (place, value) {
            case (let place?, let value?): storage[place].value = value
            case (let place?, nil):
                if !index.isNone { index.remove(place, of: storage) }
                storage.remove(at: place)
            case (nil, let value?): append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }

        /// Appends a member unless its name is there.
        private mutating func append(_ member: Member) {
            if index.isNone {
                guard !storage.contains(where: { $0.name.hasSameBytes(as: member.name) }) else { return }
                storage.append(member)
                if storage.count >= MemberIndex.fewestMembers { index = MemberIndex(storage) }
            } else if index.insert(member.name, behind: storage) {
                storage.append(member)
            }
        }
    }
}

extension Value.Members: RandomAccessCollection {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of members.
    public var endIndex: Int { storage.count }
    /// The member at a place in the order, from 0.
    public subscript(position: Int) -> Value.Member { storage[position] }
}

extension Value.Members: Hashable, ExpressibleByDictionaryLiteral {
    public static func == (left: Self, right: Self) -> Bool {
        guard left.count == right.count else { return false }
        // Each value is looked at once, or the time would double with each level.
        var index = 0
        while index < left.count, left.storage[index].name.hasSameBytes(as: right.storage[index].name) {
            guard left.storage[index].value == right.storage[index].value else { return false }
            index += 1
        }
        return index == left.count || areEqualInAnyOrder(left.storage[index...], right.storage[index...])
    }

    private static func areEqualInAnyOrder(_ left: ArraySlice<Value.Member>, _ right: ArraySlice<Value.Member>) -> Bool
    {
        let others = Dictionary(right.map { (ScalarText($0.name), $0.value) }, uniquingKeysWith: { first, _ in first })
        for member in left {
            guard let other = others[ScalarText(member.name)], other == member.value else { return false }
        }
        return true
    }

    public func hash(into hasher: inout Hasher) {
        // Order must not count: fold the members' own hashes commutatively.
        var sum = 0
        for member in storage {
            var each = Hasher()
            each.combine(member)
            sum &+= each.finalize()
        }
        hasher.combine(sum)
    }

    /// These members in this order; of those with the same name the first counts.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init(elements.map { Value.Member(name: $0.0, value: $0.1) })
    }
}
