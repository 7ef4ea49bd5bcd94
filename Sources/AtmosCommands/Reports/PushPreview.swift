#if Command || Demo
    internal import Atmosphere
    internal import AtmosphereReports

    /// What a push would send, and what it would hold back.
    struct PushPreview {
        private let requests: [PendingRequest]
        private let held: [(uri: ObjectURI, reason: String)]

        init(_ synchronizer: Synchronizer, entities: [String]) async throws {
            let push = try await synchronizer.pushPreview(entities: entities)
            let requests = push.requests
            let problems = Dictionary(
                push.problems.map { ($0.uri, $0.message) }, uniquingKeysWith: { first, _ in first })
            let sent = Set(requests.map(\.uri))
            let wanted = Set(entities)
            let holders = try await synchronizer.heldChanges()
            held = try await synchronizer.pending()
                .filter { !sent.contains($0.uri) && (wanted.isEmpty || wanted.contains($0.uri.entity)) }
                .compactMap { object in
                    object.meta.outgoing.map { outgoing in
                        (
                            object.uri,
                            problems[object.uri] ?? outgoing.summary(of: object.meta, holder: holders[object.uri])
                        )
                    }
                }
            self.requests = requests
        }

        func show(_ output: Output) throws {
            if output.isJSON {
                let list = requests.map { pending -> Value in
                    [
                        "uri": .string(pending.uri.description), "verb": .string(pending.verb),
                        "method": .string(pending.request.method), "url": .string(pending.request.url),
                        "body": pending.body ?? .null, "batch": pending.batchPlace
                    ]
                }
                let others = held.map { held -> Value in
                    ["uri": .string(held.uri.description), "reason": .string(held.reason)]
                }
                return try output.json(["requests": .array(list), "held": .array(others)])
            }
            if lines.isEmpty { return try output.remark("nothing to send") }
            try output.lines(lines)
        }

        var lines: [String] {
            requests.map { pending in
                let body = pending.text.map { " \($0)" } ?? ""
                let place = pending.batch.map { " (\($0.number) of \($0.count) in a batch)" } ?? ""
                return TextWidth.oneLine("\(pending.request.method) \(pending.request.url)\(place)\(body)")
            } + held.map { TextWidth.oneLine("held: \($0.uri) (\($0.reason))") }
        }
    }
#endif
