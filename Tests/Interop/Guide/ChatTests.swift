#if Command
    import Atmosphere
    import AtmosphereNotifications
    import AtmosphereSocketIO
    import AtmosphereSocketIOClient
    import Testing

    @Suite("The chat of the guide “A Socket.IO server of your own”", .timeLimit(.minutes(5)))
    struct ChatTests {
        @Test("what one says all members get, and nobody is let in without a name")
        func chat() async throws {
            let server = SocketIOServer(application: Chat())
            let port = try await server.start()
            do {
                try await talk(quickOptions("http://127.0.0.1:\(port)"))
            } catch {
                try await server.shutDown(grace: .zero)
                throw error
            }
            try await server.shutDown(grace: .zero)
        }

        private func talk(_ options: SocketIOClientOptions) async throws {
            let (joined, join) = AsyncStream<Void>.makeStream()
            async let heard = withSocketIOClient(options, auth: ["name": "ann"]) { _, signals -> [SocketArgument] in
                defer { join.finish() }
                try await signals.connected()
                join.finish()
                return try await signals.event("said")
            }
            let own = try await withSocketIOClient(options, auth: ["name": "bob"]) {
                client, signals -> [SocketArgument] in
                try await signals.connected()
                for await _ in joined {}
                try client.emit(SocketEvent("say", ["hello"]))
                return try await signals.event("said")
            }
            let other = try await heard
            #expect(own == ["hello"] && other == ["hello"])
            let refusal = try await withSocketIOClient(options, auth: [:]) { _, signals in
                try await signals.refusal()
            }
            #expect(refusal == .refused(namespace: "/", message: "say your name", data: nil))
        }
    }
#endif
