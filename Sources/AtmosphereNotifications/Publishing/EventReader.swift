#if Notifications
    import AtmosphereExchange

    /// Reads what publishers post, and refuses what no client could use, naming the member.
    struct EventReader {
        /// The most users and rooms of one event.
        static let audienceLimit = 10_000
        /// The most events of one batch.
        static let batchLimit = 1000
        /// The longest name of an entity, and the longest identifier of an object, in bytes: a client leaves out an update
        /// whose object it cannot read.
        static let (entityLimit, objectLimit) = (256, 2048)

        let newIdentifier: @Sendable () -> String

        func json(_ body: [UInt8]) throws(Problem) -> Value.Members {
            let value: Value
            do { value = try Value(json: body, limits: JSONLimits(depth: 48, bytes: 16 << 20)) } catch {
                throw Problem(400, "The body is not JSON: \(error.message)")
            }
            guard let members = value.members else { throw Problem(422, "The body must be an object") }
            return members
        }

        /// `{"events": [{"type": "update" | "notification", …}]}`
        func batch(_ body: Value.Members) throws(Problem) -> [PublishedEvent] {
            try check(body, ["events"])
            guard let events = body["events"]?.array else { throw Problem(422, "events: an array is needed") }
            guard events.count <= Self.batchLimit else {
                throw Problem(422, "events: \(events.count) are more than \(Self.batchLimit)")
            }
            var result: [PublishedEvent] = []
            for (index, event) in events.enumerated() {
                guard let members = event.members, let type = members["type"]?.string,
                    let kind = PublishedEvent.Kind(rawValue: type)
                else { throw Problem(422, "events[\(index)].type: “update” or “notification” is needed") }
                do throws(Problem) { result.append(try self.event(kind, members, key: nil, isInBatch: true)) } catch {
                    throw Problem(error.status, "events[\(index)].\(error.detail)")
                }
            }
            return result
        }

        /// - Parameter key: of the header `Idempotency-Key`, which stands for a missing `id`.
        func event(
            _ kind: PublishedEvent.Kind, _ body: Value.Members, key: String?, isInBatch: Bool = false
        ) throws(Problem) -> PublishedEvent {
            let own =
                switch kind {
                case .update: ["uri", "attributes", "patch", "edits", "deleted", "whole", "version", "next"]
                case .notification: ["data"]
                }
            try check(body, ["id", "to"] + own + (isInBatch ? ["type"] : []))
            let id = try identifier(body, key)
            let audiences = try audiences(body["to"])
            let data: Value =
                switch kind {
                case .update: .object(try update(body, id))
                case .notification: ["id": .string(id), "data": try notification(body)]
                }
            return PublishedEvent(id: id, kind: kind, audiences: audiences, data: data)
        }

        /// A misspelled member must not be left out in silence.
        private func check(_ members: Value.Members, _ known: [String], in place: String = "") throws(Problem) {
            for member in members where !known.contains(member.name) {
                let name = String(member.name.prefix(100))
                throw Problem(
                    422, "\(place)\(name): not known; what can stand here is \(known.joined(separator: ", "))")
            }
        }

        private func identifier(_ body: Value.Members, _ key: String?) throws(Problem) -> String {
            guard let value = body["id"] else { return key ?? newIdentifier() }
            guard let id = value.string, !id.isEmpty, id.utf8.count <= 200 else {
                throw Problem(422, "id: a text of 1 to 200 bytes is needed")
            }
            guard key?.hasSameBytes(as: id) ?? true else {
                throw Problem(422, "id: is not what Idempotency-Key says; give one of them")
            }
            return id
        }

        /// `["ann", "bob"]`, or `{"users": […], "rooms": […]}`.
        private func audiences(_ to: Value?) throws(Problem) -> [Audience] {
            var audiences: [Audience] = []
            switch to {
            case .array(let users): audiences = try self.users(users, "to").map { .user($0) }
            case .object(let members):
                for member in members {
                    guard member.name == "users" || member.name == "rooms", let names = member.value.array else {
                        throw Problem(422, "to: only arrays “users” and “rooms” are known")
                    }
                    audiences +=
                        member.name == "users"
                        ? try users(names, "to.users").map { .user($0) }
                        : try self.names(names, "to.rooms").map { .room($0) }
                }
            default: break
            }
            guard !audiences.isEmpty else {
                throw Problem(422, "to: an array of users, or an object with users or rooms, is needed")
            }
            guard audiences.count <= Self.audienceLimit else {
                throw Problem(422, "to: \(audiences.count) names are more than \(Self.audienceLimit)")
            }
            return audiences
        }

        /// Those that a client could be.
        private func users(_ values: [Value], _ place: String) throws(Problem) -> [String] {
            let users = try names(values, place)
            for user in users {
                if let problem = ClientIdentity.problem(ofUser: user) {
                    throw Problem(422, "\(place): a user’s name \(problem); no client has such a name")
                }
            }
            return users
        }

        private func names(_ values: [Value], _ place: String) throws(Problem) -> [String] {
            var names: [String] = []
            for value in values {
                guard let name = value.string, !name.isEmpty, name.utf8.count <= 256 else {
                    throw Problem(422, "\(place): each name is a text of 1 to 256 bytes")
                }
                names.append(name)
            }
            return names
        }

        private func notification(_ body: Value.Members) throws(Problem) -> Value {
            guard let data = body["data"] else { throw Problem(422, "data: something must be told") }
            return data
        }

        /// Exactly one of `attributes`, `patch`, `edits` and `deleted`; none at all says that the object has changed.
        private func update(_ body: Value.Members, _ id: String) throws(Problem) -> Value.Members {
            guard let uri = body["uri"]?.members, let entity = uri["entity"]?.string, !entity.isEmpty,
                let object = uri["id"]?.string, !object.isEmpty
            else { throw Problem(422, "uri: an object with the texts entity and id is needed") }
            guard entity.utf8.count <= Self.entityLimit, object.utf8.count <= Self.objectLimit else {
                throw Problem(
                    422, "uri: entity takes \(Self.entityLimit) bytes at most, and id \(Self.objectLimit)")
            }
            try check(uri, ["entity", "id"], in: "uri.")
            var data: Value.Members = ["id": .string(id), "uri": ["entity": .string(entity), "id": .string(object)]]
            var kinds: [String] = []
            for name in ["attributes", "patch", "edits"] {
                guard let value = body[name] else { continue }
                guard value.members != nil else { throw Problem(422, "\(name): an object is needed") }
                if name == "edits" { try check(edits: value) }
                kinds.append(name)
                data[name] = value
            }
            if let deleted = body["deleted"] {
                guard deleted == true else { throw Problem(422, "deleted: only true can be said") }
                kinds.append("deleted")
                data["deleted"] = true
            }
            if let whole = body["whole"] {
                guard whole == true else { throw Problem(422, "whole: only true can be said") }
                guard kinds.contains("attributes") else {
                    throw Problem(422, "whole: stands beside attributes that are all that the object has")
                }
                data["whole"] = true
            }
            guard kinds.count <= 1 else { throw Problem(422, "\(kinds[1]): cannot stand beside \(kinds[0])") }
            if let version = body["version"] {
                guard version.string != nil || version.number != nil else {
                    throw Problem(422, "version: a text or number is needed")
                }
                data["version"] = version
            } else if kinds.first == "patch" || kinds.first == "edits" {
                throw Problem(422, "version: \(kinds[0]) needs the version that it applies to")
            }
            if let next = body["next"] {
                guard next.string != nil || next.number != nil, data["version"] != nil else {
                    throw Problem(422, "next: a text or number is needed, beside the version that it follows")
                }
                data["next"] = next
            }
            return data
        }

        /// `{field: [{at, delete, insert}]}`, offsets in Unicode scalars.
        private func check(edits: Value) throws(Problem) {
            for field in edits.members ?? Value.Members() {
                guard let list = field.value.array else {
                    throw Problem(422, "edits.\(field.name): an array is needed")
                }
                for edit in list {
                    guard let members = edit.members, let at = members["at"]?.number?.int64, at >= 0,
                        (members["delete"].map { $0.number?.int64 ?? -1 } ?? 0) >= 0,
                        members["insert"].map({ $0.string != nil }) ?? true
                    else {
                        throw Problem(422, "edits.\(field.name): each edit has at, delete (from 0) and insert (text)")
                    }
                    try check(members, ["at", "delete", "insert"], in: "edits.\(field.name).")
                }
            }
        }

        // MARK: The form of the first implementation

        /// `payload={"data":…,"keys":["user",…]}`, where an update's data is `{"uri":{"collection","id"},"attrs":{…}}`.
        /// The data is handed on as it is.
        func form(_ kind: PublishedEvent.Kind, _ body: [UInt8]) throws(Problem) -> PublishedEvent {
            let text = String(decoding: body, as: UTF8.self)
            let fields = text.split(separator: "&").compactMap { field -> String? in
                field.hasPrefix("payload=") ? String(field.dropFirst(8)) : nil
            }
            guard fields.count == 1, let payload = PercentText.decode(fields[0]) else {
                throw Problem(400, "The form must have one field “payload”")
            }
            let members = try json(payload)
            guard let data = members["data"], let keys = members["keys"]?.array else {
                throw Problem(422, "payload: data and keys are needed")
            }
            let users = try self.users(keys, "payload.keys")
            guard users.count <= Self.audienceLimit else { throw Problem(422, "payload.keys: too many") }
            return PublishedEvent(id: newIdentifier(), kind: kind, audiences: users.map { .user($0) }, data: data)
        }
    }

    /// The values of `application/x-www-form-urlencoded`.
    enum PercentText {
        static func decode(_ text: String) -> [UInt8]? {
            var bytes: [UInt8] = []
            var rest = Array(text.utf8)[...]
            while let byte = rest.popFirst() {
                switch byte {
                case UInt8(ascii: "+"): bytes.append(0x20)
                case UInt8(ascii: "%"):
                    guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                        return nil
                    }
                    bytes.append(high << 4 | low)
                default: bytes.append(byte)
                }
            }
            return bytes
        }

        private static func digit(_ byte: UInt8) -> UInt8? {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
            default: nil
            }
        }
    }
#endif
