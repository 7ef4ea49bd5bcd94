#if Command
    internal import Atmosphere

    /// A schema together with what it refers to and what it is composed of.
    final class SchemaContent: Sendable {
        let members: Value.Members
        /// The names of an object's members, in the order of the document.
        let names: [String]
        private let properties: [ScalarText: Value]

        init(_ members: Value.Members) {
            self.members = members
            let properties = members["properties"]?.members ?? [:]
            names = properties.names.filter { !$0.isEmpty }
            self.properties = Dictionary(
                properties.map { (ScalarText($0.name), $0.value) }, uniquingKeysWith: { first, _ in first })
        }

        func property(_ name: String) -> Value? { properties[ScalarText(name)] }
    }

    /// Puts the parts of a schema together, in a time that grows with their length.
    struct SchemaComposition {
        private var members: IndexedMembers
        private var properties: IndexedMembers
        private var required: [Value]

        init(_ own: Value.Members) {
            members = IndexedMembers(own)
            properties = IndexedMembers(own["properties"]?.members ?? [:])
            required = own["required"]?.array ?? []
        }

        /// Properties and required names of a part are added; of everything else the first counts.
        mutating func add(_ part: Value.Members) {
            for member in part {
                if member.name == "properties" {
                    for each in member.value.members ?? [:] { properties.set(each.name, each.value) }
                } else if member.name == "required" {
                    required += member.value.array ?? []
                }
                if members[member.name] == nil { members.set(member.name, member.value) }
            }
        }

        var whole: Value.Members {
            var members = members
            if members["properties"]?.members != nil { members.set("properties", .object(properties.all)) }
            if members["required"]?.array != nil { members.set("required", .array(required)) }
            return members.all
        }
    }

    /// Members with the place of each name.
    struct IndexedMembers {
        private var members: [Value.Member]
        private var places: [ScalarText: Int]

        init(_ members: Value.Members) {
            self.members = Array(members)
            places = Dictionary(
                zip(members.lazy.map { ScalarText($0.name) }, 0...), uniquingKeysWith: { first, _ in first })
        }

        subscript(name: String) -> Value? { places[ScalarText(name)].map { members[$0].value } }

        /// Sets a member in its place, or appends it.
        mutating func set(_ name: String, _ value: Value) {
            if let place = places[ScalarText(name)] {
                members[place].value = value
            } else {
                places[ScalarText(name)] = members.count
                members.append(Value.Member(name: name, value: value))
            }
        }

        var all: Value.Members { Value.Members(unique: members) }
    }
#endif
