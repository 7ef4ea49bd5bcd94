/// Where the names of a wide object stand, so that a name is found without a look at every member.
///
/// A hash table with open addressing. It holds places, not names: a name is compared with the member at the place, by
/// its bytes. The hash has a seed of the process, so that no server can choose names with the same hash.
struct MemberIndex: Sendable {
    /// Objects with fewer members have no index: a look at each of their names is quicker than a hash.
    static let fewestMembers = 33

    /// Of each member one more than its place; 0 in a slot without a member. A power of two, at least twice as many as
    /// there are members.
    private var slots: [UInt32]

    /// The index of an object with few members: none.
    init() { slots = [] }

    /// An index of members whose names differ; none where the members are few.
    init(_ members: [Value.Member]) {
        slots = []
        if members.count >= Self.fewestMembers { build(members) }
    }

    /// Whether the object is looked through without an index.
    var isNone: Bool { slots.isEmpty }

    /// The place of a name; nil where no member has it. There must be an index.
    func place(of name: String, in members: [Value.Member]) -> Int? {
        let place = Int(slots[slot(of: name, in: members)]) - 1
        return place < 0 ? nil : place
    }

    /// Gives a name the place behind all members. There must be an index.
    ///
    /// - Returns: false where a member has the name; nothing has changed then.
    mutating func insert(_ name: String, behind members: [Value.Member]) -> Bool {
        if (members.count + 1) * 2 > slots.count { build(members) }
        let slot = slot(of: name, in: members)
        guard slots[slot] == 0 else { return false }
        slots[slot] = UInt32(members.count + 1)
        return true
    }

    /// Takes a member out that is about to be removed: all behind it move up by one place.
    mutating func remove(_ place: Int, of members: [Value.Member]) {
        guard members.count > Self.fewestMembers else {
            slots = []
            return
        }
        var hole = slot(of: members[place].name, in: members)
        var next = following(hole)
        // A member behind the hole moves into it, unless its search begins behind the hole.
        while slots[next] != 0 {
            let start = start(members[Int(slots[next]) - 1].name)
            if (next &- start) & mask >= (next &- hole) & mask {
                slots[hole] = slots[next]
                hole = next
            }
            next = following(next)
        }
        slots[hole] = 0
        guard place + 1 < members.count else { return }
        let last = UInt32(place + 1)
        for slot in slots.indices where slots[slot] > last { slots[slot] -= 1 }
    }

    private mutating func build(_ members: [Value.Member]) {
        var size = 128
        while size < (members.count + 1) * 2 { size *= 2 }
        slots = [UInt32](repeating: 0, count: size)
        for (place, member) in members.enumerated() {
            // The names differ, so that the first free slot is the name's.
            var slot = start(member.name)
            while slots[slot] != 0 { slot = following(slot) }
            slots[slot] = UInt32(place + 1)
        }
    }

    /// The slot that has the name's place, or the free one that is to get it.
    private func slot(of name: String, in members: [Value.Member]) -> Int {
        var slot = start(name)
        while slots[slot] != 0, !members[Int(slots[slot]) - 1].name.hasSameBytes(as: name) { slot = following(slot) }
        return slot
    }

    private var mask: Int { slots.count &- 1 }

    private func following(_ slot: Int) -> Int { (slot &+ 1) & mask }

    /// Where the search for a name begins.
    private func start(_ name: String) -> Int {
        var hasher = Hasher()
        name.hashBytes(into: &hasher)
        return hasher.finalize() & mask
    }
}
