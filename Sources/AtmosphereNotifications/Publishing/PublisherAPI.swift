#if Notifications
    import AtmosphereExchange
    import NIOCore
    import NIOHTTP1

    /// The HTTP side for publishers and for those who watch the server.
    struct PublisherAPI: Sendable {
        var publishers: any ClientAuthorizer
        var broker: any Broker
        /// Whether the form of the first implementation is taken as well.
        var takesForms: Bool
        var reader: EventReader
        /// By their path.
        var webhooks: [ScalarText: Webhook] = [:]
        /// Seconds since 1970.
        var wallClock: @Sendable () -> Double
        /// The longest message that is told to clients.
        var messageBytes: Int
        /// Made by the server, which knows its counts.
        var report: @Sendable () -> NotificationReport
        /// Whether clients have to be given so much that a publisher should wait.
        var isBusy: @Sendable () -> Bool = { false }

        /// The one that asks for no key.
        private static let healthPath = "/healthz"

        func answer(_ request: HTTPRequest, to responder: any Answering) {
            Task(executorPreference: responder.executor) {
                // Until it is answered, however long a broker that is away keeps it.
                defer { withExtendedLifetime(request.hold) {} }
                let answer: HTTPAnswer
                do throws(Problem) {
                    answer = try await self.answer(request)
                    if request.path != Self.healthPath { responder.trust() }
                } catch { answer = error.answer }
                // Behind what the request brought about on this loop: clients come before the publisher.
                await Task.yield()
                responder.answer(answer)
            }
        }

        func answer(_ request: HTTPRequest) async throws(Problem) -> HTTPAnswer {
            switch request.path {
            case Self.healthPath:
                try check(request, "GET")
                return await health()
            case "/metrics":
                try check(request, "GET")
                try await authorize(request)
                return HTTPAnswer(
                    status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8",
                    body: Array(report().prometheus(await broker.status()).utf8))
            case "/stats":
                try check(request, "GET")
                try await authorize(request)
                let stats = report().json(await broker.status())
                return HTTPAnswer(status: 200, contentType: "application/json", body: stats.json())
            case "/update": return try await publish(.update, request)
            case "/notification": return try await publish(.notification, request)
            case "/events":
                try check(request, "POST")
                try await authorize(request)
                try checkJSON(request)
                guard !request.headers.contains(name: "idempotency-key") else {
                    throw Problem(422, "Idempotency-Key: give each event of a batch its own id instead")
                }
                let events = try reader.batch(reader.json(request.body))
                return try await publishAll(events, from: request)
            default:
                guard let webhook = webhooks[ScalarText(request.path)] else {
                    throw Problem(404, "There is nothing here")
                }
                try check(request, "POST")
                return try await publishAll(webhook.events(request, reader: reader, now: wallClock()), from: request)
            }
        }

        private func publishAll(
            _ events: [PublishedEvent], from request: HTTPRequest
        ) async throws(Problem) -> HTTPAnswer {
            let publications = events.isEmpty ? [] : try await publish(events, from: request)
            let answers = zip(events, publications).map { Self.value($0, $1) }
            return HTTPAnswer(
                status: 200, contentType: "application/json", body: Value.object(["events": .array(answers)]).json())
        }

        private func publish(_ kind: PublishedEvent.Kind, _ request: HTTPRequest) async throws(Problem) -> HTTPAnswer {
            try check(request, "POST")
            try await authorize(request)
            if takesForms, request.contentType == "application/x-www-form-urlencoded" {
                _ = try await publish([reader.form(kind, request.body)], from: request)
                return HTTPAnswer(
                    status: 200, contentType: "text/plain", body: Array("200: \(kind.rawValue) sent".utf8))
            }
            try checkJSON(request)
            let key = request.headers.first(name: "idempotency-key")
            if let key, key.isEmpty || key.utf8.count > 200 {
                throw Problem(422, "Idempotency-Key: a text of 1 to 200 bytes is needed")
            }
            let event = try reader.event(kind, reader.json(request.body), key: key)
            let publications = try await publish([event], from: request)
            guard let publication = publications.first else { throw Problem(503, "The broker did not answer") }
            return HTTPAnswer(
                status: 200, contentType: "application/json", body: Self.value(event, publication).json())
        }

        /// What stands around an event's data where a client gets it: frames, names and the offset.
        private static let envelopeBytes = 300

        private func publish(
            _ events: [PublishedEvent], from request: HTTPRequest
        ) async throws(Problem) -> [Publication] {
            // Written anew, no text grows to more than six times what it was.
            if request.body.count > messageBytes / 8 {
                for (index, event) in events.enumerated() {
                    let size = event.data.json().count + Self.envelopeBytes
                    guard size <= messageBytes else {
                        let place = events.count > 1 ? "events[\(index)]: " : ""
                        throw Problem(
                            413,
                            "\(place)with what stands around it the event has \(size) bytes, and clients take at most "
                                + "\(messageBytes); tell that the object has changed, and let clients fetch it")
                    }
                }
            }
            let publications: [Publication]
            do { publications = try await broker.publish(events) } catch {
                throw Problem(503, "The broker does not take events now; send them again with the same id")
            }
            await keepPace()
            return publications
        }

        /// Who publishes faster than clients can be told gets the answer later, but not so late as to take it for lost.
        private func keepPace() async {
            guard isBusy() else { return }
            // Not on the loop, which has enough to do.
            await withTaskExecutorPreference(globalConcurrentExecutor) {
                for _ in 0..<100 where isBusy() { try? await Task.sleep(for: .milliseconds(10)) }
            }
        }

        private static func value(_ event: PublishedEvent, _ publication: Publication) -> Value {
            [
                "id": .string(event.id), "offset": .string(publication.offset.description),
                "duplicate": .bool(publication.isDuplicate)
            ]
        }

        private func check(_ request: HTTPRequest, _ method: String) throws(Problem) {
            guard request.method == method || method == "GET" && request.method == "HEAD" else {
                var problem = Problem(405, "Only \(method) is answered here")
                problem.headers = [("allow", method)]
                throw problem
            }
        }

        private func checkJSON(_ request: HTTPRequest) throws(Problem) {
            guard request.contentType == "application/json" else {
                throw Problem(415, "Send application/json")
            }
        }

        /// `Authorization: Bearer …` (RFC 6750).
        private func authorize(_ request: HTTPRequest) async throws(Problem) {
            let fields = request.headers["authorization"]
            if fields.count == 1, fields[0].prefix(7).lowercased() == "bearer ",
                await publishers.identity(of: String(fields[0].dropFirst(7))) != nil
            {
                return
            }
            var problem = Problem(401, "A publisher's key is needed: Authorization: Bearer …")
            problem.headers = [("www-authenticate", "Bearer")]
            throw problem
        }

        private func health() async -> HTTPAnswer {
            let isDraining = report().server.isDraining
            let status = await broker.status()
            let isHealthy = status.isHealthy && !isDraining
            let body: Value = [
                "status": .string(isHealthy ? "ok" : isDraining ? "draining" : "no broker"),
                "broker": .string(status.name)
            ]
            return HTTPAnswer(status: isHealthy ? 200 : 503, contentType: "application/json", body: body.json())
        }
    }

    /// What `/metrics` and `/stats` tell.
    struct NotificationReport: Sendable {
        var server: SocketIOServerCounts
        var joined: UInt64
        /// For a place of their user.
        var waiting: Int
        var published: UInt64
        var delivered: UInt64
        var dropped: UInt64
        var replayed: UInt64
        var resyncs: UInt64
        var passed: UInt64

        private func values(_ broker: BrokerStatus) -> [(name: String, kind: String, help: String, value: UInt64)] {
            [
                ("connections", "gauge", "TCP connections now.", UInt64(server.connections)),
                ("clients", "gauge", "Engine.IO sessions now.", UInt64(server.clients)),
                ("clients_joined", "gauge", "Clients that were let in and are here now.", UInt64(server.joined)),
                (
                    "clients_waiting", "gauge", "Clients of users that have as many as they may.", UInt64(waiting)
                ),
                ("sessions_total", "counter", "Engine.IO sessions opened.", server.opened),
                ("upgrades_total", "counter", "Sessions that went over to WebSocket.", server.upgrades),
                ("protocol_errors_total", "counter", "Sessions ended by a broken protocol.", server.protocolErrors),
                ("joins_total", "counter", "Times when a client was let in.", joined),
                ("published_total", "counter", "Events of publishers, of all servers.", published),
                ("delivered_total", "counter", "Events sent to clients, once for each client.", delivered),
                ("dropped_total", "counter", "Events that a client could not take now, or never.", dropped),
                ("replayed_total", "counter", "Missed events sent to clients that came back.", replayed),
                ("resyncs_total", "counter", "Times when a client was told to pull.", resyncs),
                ("passed_total", "counter", "Events that Socket.IO emitters sent.", passed),
                ("broker_up", "gauge", "Whether the broker works now.", broker.isHealthy ? 1 : 0),
                (
                    "broker_reconnections_total", "counter", "Connections to the broker that were made anew.",
                    broker.reconnections
                ),
                ("broker_losses_total", "counter", "Times when every client had to be told to pull.", broker.losses),
                ("broker_refusals_total", "counter", "What came from the broker and was no event.", broker.refusals)
            ]
        }

        /// Prometheus' text format, version 0.0.4.
        func prometheus(_ broker: BrokerStatus) -> String {
            values(broker).map { name, kind, help, value in
                "# HELP atmosphere_\(name) \(help)\n# TYPE atmosphere_\(name) \(kind)\natmosphere_\(name) \(value)\n"
            }.joined()
        }

        func json(_ broker: BrokerStatus) -> Value {
            .object(
                Value.Members(
                    values(broker).map {
                        Value.Member(name: $0.name, value: .number(JSONNumber(Int64(clamping: $0.value))))
                    }))
        }
    }
#endif
