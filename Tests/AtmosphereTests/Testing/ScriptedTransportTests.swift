import Atmosphere
import AtmosphereTesting
import Testing

@Suite("The scripted transport")
struct ScriptedTransportTests {
    @Test("expectations are taken in the order of the script, by path and query or by the whole URL")
    func order() async throws {
        let transport = ScriptedTransport()
        transport.expect("GET", "/tasks?page=1", .json("1"))
        transport.expect("GET", "/tasks?page=1", .json("2", status: 201))
        transport.expect("GET", "https://host", .respond(204))
        let statuses = [
            try await transport.send(Request(method: "GET", url: "https://host/tasks?page=1")).status,
            try await transport.send(Request(method: "GET", url: "https://host")).status,
            try await transport.send(Request(method: "GET", url: "https://other/tasks?page=1")).status
        ]
        #expect(statuses == [200, 204, 201])
        #expect(transport.remaining.isEmpty)
        try transport.check()
    }

    @Test("what was sent is kept with all bytes of its body")
    func records() async throws {
        let transport = ScriptedTransport { _ in Response(status: 200) }
        _ = try await transport.send(Request(method: "POST", url: "http://h/a", body: .bytes(Array("one".utf8))))
        let body = RequestBody.stream(length: nil) {
            let chunk = ResponseBody(Array("two".utf8))
            return {
                for try await bytes in chunk { return bytes }
                return nil
            }
        }
        _ = try await transport.send(Request(method: "PUT", url: "http://h/b", body: body))
        #expect(transport.requests.map(\.text) == ["one", "two"])
        #expect(transport.requests.map(\.request.method) == ["POST", "PUT"])
    }

    @Test("a request that nothing expects fails, and the check names it and what is missing")
    func unexpected() async throws {
        let transport = ScriptedTransport()
        transport.expect("GET", "/a", .json("1"), times: 2)
        _ = try await transport.send(Request(method: "GET", url: "http://h/a"))
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(Request(method: "POST", url: "http://h/a"))
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.mayHaveArrived == false)
        let mismatch = #expect(throws: ScriptError.self) { try transport.check() }
        #expect(mismatch?.description == "never sent: GET /a; not expected: POST /a")
    }

    @Test("a lost request throws and tells whether it may have arrived", arguments: [true, false])
    func lost(mayHaveArrived: Bool) async throws {
        let transport = ScriptedTransport()
        transport.expect("POST", "/a", .lose(mayHaveArrived: mayHaveArrived))
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(Request(method: "POST", url: "http://h/a"))
        }
        #expect(error?.mayHaveArrived == mayHaveArrived)
        #expect(transport.requests.count == 1)
    }

    @Test("a body above the request's limit is an error")
    func tooLarge() async throws {
        let transport = ScriptedTransport(otherwise: .respond(body: [1, 2, 3]))
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(Request(method: "GET", url: "http://h/", maximumResponseBytes: 2))
        }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test("held answers come when the gate opens, and the most at once are counted")
    func held() async throws {
        let gate = Gate()
        let transport = ScriptedTransport(otherwise: .json("1").held(by: gate))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...3 {
                group.addTask { try await transport.send(Request(method: "GET", url: "http://h/")).status }
            }
            await gate.waitForArrivals(3)
            #expect(transport.requests.count == 3)
            gate.open()
            for try await status in group { #expect(status == 200) }
        }
        #expect(transport.mostAtOnce == 3)
        // An open gate stays open.
        _ = try await transport.send(Request(method: "GET", url: "http://h/"))
    }

    @Test("cancelling the task ends a held answer, before it is held as well", arguments: [true, false])
    func cancelled(isBefore: Bool) async throws {
        let gate = Gate()
        let start = Gate()
        let transport = ScriptedTransport(otherwise: .json("1").held(by: gate))
        let task = Task {
            try? await start.pass()
            return try await transport.send(Request(method: "GET", url: "http://h/"))
        }
        if isBefore { task.cancel() }
        start.open()
        if !isBefore { await gate.waitForArrivals() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
