package import Atmosphere

/// What a push would send, request by request, with the members that it would change.
package struct PushDiff {
    package struct Entry {
        package var pending: PendingRequest
        package var base: ObjectRecord?
        package var mine: ObjectRecord?
        /// The object is read and merged before the write.
        package var comparesFirst = false
        package var whyCompared = ""
        /// What stands around the members in the body.
        package var root: String?
    }

    package private(set) var entries: [Entry] = []
    package private(set) var held: [(uri: ObjectURI, reason: String)] = []
    package let signature: String?

    /// - Parameter uri: only this object, at its present address.
    package init(_ synchronizer: Synchronizer, entities: [String], uri: ObjectURI?) async throws {
        signature = synchronizer.routeFile.signature
        let push = try await synchronizer.pushPreview(entities: entities)
        let problems = Dictionary(
            push.problems.map { ($0.uri, $0.message) }, uniquingKeysWith: { first, _ in first })
        for pending in push.requests where uri == nil || pending.uri == uri {
            guard let object = try await synchronizer.object(at: pending.uri) else { continue }
            var entry = Entry(pending: pending, base: object.meta.confirmed?.base, mine: object.record)
            if let resource = synchronizer.routeFile.resource(pending.uri.entity), !pending.isLease {
                entry.comparesFirst =
                    pending.verb != "create" && pending.upload == nil && resource.comparesFirst(object)
                entry.whyCompared = resource.whyCompared(object)
                let action = resource.actions.first { $0.name == pending.verb }
                if pending.members != nil, pending.upload == nil {
                    entry.root = action.map(\.root) ?? resource.writeRoot
                }
            }
            entries.append(entry)
        }
        let sent = Set(push.requests.map(\.uri))
        let holders = try await synchronizer.heldChanges()
        for object in try await synchronizer.pending()
        where !sent.contains(object.uri) && (uri == nil || object.uri == uri)
            && (entities.isEmpty || entities.contains(object.uri.entity))
        {
            if let outgoing = object.meta.outgoing {
                let reason = outgoing.summary(of: object.meta, holder: holders[object.uri])
                held.append((object.uri, problems[object.uri] ?? reason))
            }
        }
    }

    package var isEmpty: Bool { entries.isEmpty && held.isEmpty }

    package var json: Value {
        let requests = entries.map { entry -> Value in
            let request = entry.pending.request
            return [
                "uri": .string(entry.pending.uri.description), "verb": .string(entry.pending.verb),
                "method": .string(request.method), "url": .string(request.url),
                "headers": .object(
                    Value.Members(entry.headers.map { .init(name: $0.name, value: .string($0.value)) })),
                "signed": .init(signature), "readFirst": .bool(entry.comparesFirst),
                "changes": .array(
                    entry.changes.map { change in
                        ["field": .string(change.name), "from": change.from ?? .null, "to": change.to ?? .null]
                    }),
                "body": entry.pending.body ?? .null, "batch": entry.pending.batchPlace
            ]
        }
        let others = held.map { ["uri": .string($0.uri.description), "reason": .string($0.reason)] as Value }
        return ["requests": .array(requests), "held": .array(others)]
    }
}

extension PushDiff.Entry {
    /// What the request changes on the server; for a create, everything that is sent.
    package var changes: [(name: String, from: Value?, to: Value?)] {
        if let upload = pending.upload { return [(upload.member, nil, upload.facts)] }
        let old = base?.members ?? [:]
        let new = mine?.members ?? [:]
        // Of a delete that is no DELETE the body says what becomes of the object.
        if pending.verb == "delete" {
            return (pending.members ?? [:]).map { member in
                let before = old[member.name]
                return (member.name, before == member.value ? nil : before, member.value)
            }
        }
        guard pending.verb == "create" else {
            return pending.changed.map { ($0, old[$0], pending.instead[$0] ?? new[$0]) }
        }
        return pending.changed.map { ($0, nil, pending.instead[$0] ?? new[$0]) }
            + pending.beside.map { ($0.name, nil, $0.value) }
    }

    /// What could be a secret is not shown.
    package var headers: [NamedText] {
        pending.request.headers.fields.map { field in
            let name = field.name.lowercased()
            let isSecret = ["authorization", "cookie", "token", "secret", "key", "password"].contains {
                name.contains($0) && name != "idempotency-key"
            }
            return isSecret ? .init(name: field.name, value: "…") : field
        }
    }
}
