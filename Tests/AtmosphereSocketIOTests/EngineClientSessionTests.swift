import AtmosphereSocketIO
import Testing

@Suite("A client's Engine.IO session")
struct EngineClientSessionTests {
    private static let open =
        #"0{"sid":"s","upgrades":["websocket"],"pingInterval":300,"pingTimeout":200,"maxPayload":20}"#
    private static let openBytes = Array(open.utf8)

    private func polling(_ transports: [EngineTransport] = [.polling]) throws -> EngineClientSession {
        var session = EngineClientSession(options: EngineClientOptions(transports: transports))
        #expect(session.step(.start, at: .zero) == [.get(1, sid: nil)])
        let actions = session.step(.answered(1, status: 200, body: Self.openBytes), at: .zero)
        #expect(actions.first == .opened(try EngineHandshake(json: Array(Self.openBytes.dropFirst()))))
        return session
    }

    @Test("polling goes on after each answer, and a ping is answered")
    func polls() throws {
        var session = EngineClientSession(options: EngineClientOptions(transports: [.polling]))
        _ = session.step(.start, at: .zero)
        let opened = session.step(.answered(1, status: 200, body: Self.openBytes), at: .zero)
        #expect(opened.dropFirst() == [.get(2, sid: "s")])
        let actions = session.step(.answered(2, status: 200, body: Array("4a\u{1e}2".utf8)), at: .milliseconds(300))
        #expect(actions == [.deliver("a"), .post(3, sid: "s", body: Array("3".utf8)), .get(4, sid: "s")])
        #expect(session.deadline == .milliseconds(800))
    }

    @Test("one post at a time, of no more than the server takes")
    func posts() throws {
        var session = try polling()
        #expect(session.step(.send(["1234567890"]), at: .zero) == [.post(3, sid: "s", body: Array("41234567890".utf8))])
        #expect(session.step(.send(["abcdefgh", "ijklmnop", "q"]), at: .zero).isEmpty)
        #expect(
            session.step(.answered(3, status: 200, body: Array("ok".utf8)), at: .zero)
                == [.post(4, sid: "s", body: Array("4abcdefgh\u{1e}4ijklmnop".utf8))])
        #expect(
            session.step(.answered(4, status: 200, body: Array("ok".utf8)), at: .zero)
                == [.post(5, sid: "s", body: Array("4q".utf8))])
        #expect(session.bufferedBytes == 0)
    }

    @Test("an upgrade waits for both requests before it goes over, and loses nothing")
    func upgrade() throws {
        var session = EngineClientSession()
        _ = session.step(.start, at: .zero)
        let opened = session.step(.answered(1, status: 200, body: Self.openBytes), at: .zero)
        #expect(opened.dropFirst() == [.openWebSocket(2, sid: "s"), .get(3, sid: "s")])
        #expect(session.step(.webSocketOpened(2), at: .zero) == [.sendFrame(2, "2probe")])
        #expect(session.step(.send(["a"]), at: .zero) == [.post(4, sid: "s", body: Array("4a".utf8))])
        #expect(session.step(.webSocketMessage(2, "3probe"), at: .zero).isEmpty)
        #expect(session.step(.send(["b"]), at: .zero).isEmpty)
        #expect(session.step(.answered(3, status: 200, body: Array("6".utf8)), at: .zero).isEmpty)
        #expect(
            session.step(.answered(4, status: 200, body: Array("ok".utf8)), at: .zero)
                == [.sendFrame(2, "5"), .upgraded, .sendFrame(2, "4b")])
        #expect(session.step(.webSocketMessage(2, "2"), at: .zero) == [.sendFrame(2, "3")])
        #expect(session.step(.webSocketClosed(2), at: .zero).contains(.closed(.transportClose)))
    }

    @Test("a failed upgrade leaves polling as it was")
    func failedUpgrade() {
        let tooLong = EngineMessage.text([UInt8](repeating: 0x78, count: 201))
        for event in [
            EngineClientSession.Event.webSocketClosed(2), .webSocketMessage(2, "4x"), .webSocketMessage(2, tooLong),
            .tick
        ] {
            var session = EngineClientSession(
                options: EngineClientOptions(
                    upgradeTimeout: .milliseconds(100), limits: EngineLimits(payloadBytes: 200)))
            _ = session.step(.start, at: .zero)
            _ = session.step(.answered(1, status: 200, body: Self.openBytes), at: .zero)
            _ = session.step(event, at: .milliseconds(100))
            #expect(session.isOpen)
            #expect(session.step(.send(["a"]), at: .zero) == [.post(4, sid: "s", body: Array("4a".utf8))])
        }
    }

    @Test("a session over WebSocket opens, and ends without a ping")
    func webSocket() {
        var session = EngineClientSession(options: EngineClientOptions(transports: [.webSocket]))
        #expect(session.step(.start, at: .zero) == [.openWebSocket(1, sid: nil)])
        _ = session.step(.webSocketOpened(1), at: .zero)
        #expect(session.step(.send(["early"]), at: .zero).isEmpty)
        let actions = session.step(.webSocketMessage(1, .text(Self.openBytes)), at: .seconds(1))
        #expect(actions.last == .sendFrame(1, "4early"))
        #expect(session.step(.tick, at: .milliseconds(1499)).isEmpty)
        #expect(session.step(.tick, at: .milliseconds(1500)) == [.closeWebSocket(1), .closed(.pingTimeout)])
    }

    @Test("a refusal, a broken answer, no handshake or a late one end the session")
    func failures() {
        let events: [EngineClientSession.Event] = [
            .answered(1, status: 400, body: []), .answered(1, status: 200, body: Array("abc".utf8)),
            .answered(1, status: 200, body: Array("4a".utf8)), .answered(1, status: 200, body: Array("0{}".utf8)),
            .failed(1), .close
        ]
        for event in events {
            var session = EngineClientSession()
            _ = session.step(.start, at: .zero)
            _ = session.step(event, at: .zero)
            #expect(session.isClosed && session.deadline == nil)
        }
        var late = EngineClientSession()
        _ = late.step(.start, at: .zero)
        #expect(late.step(.tick, at: .seconds(20)).contains(.closed(.invalid(SocketIOError(.timeout, "")))))
    }

    @Test("what comes too late by the clock opens no session and keeps none, though no tick came in between")
    func late() throws {
        func webSocket() -> EngineClientSession {
            var session = EngineClientSession(options: EngineClientOptions(transports: [.webSocket]))
            _ = session.step(.start, at: .zero)
            _ = session.step(.webSocketOpened(1), at: .zero)
            _ = session.step(.webSocketMessage(1, .text(Self.openBytes)), at: .zero)
            return session
        }
        for event in [EngineClientSession.Event.webSocketMessage(1, "2"), .send(["a"]), .webSocketClosed(1)] {
            var session = webSocket()
            #expect(session.step(event, at: .milliseconds(500)) == [.closeWebSocket(1), .closed(.pingTimeout)])
        }
        var inTime = webSocket()
        #expect(inTime.step(.webSocketMessage(1, "2"), at: .milliseconds(499)) == [.sendFrame(1, "3")])
        var poller = try polling()
        let ping = EngineClientSession.Event.answered(2, status: 200, body: Array("2".utf8))
        #expect(poller.step(ping, at: .milliseconds(500)) == [.closed(.pingTimeout)])
        var opening = EngineClientSession()
        _ = opening.step(.start, at: .zero)
        #expect(
            opening.step(.answered(1, status: 200, body: Self.openBytes), at: .seconds(20))
                == [.closed(.invalid(SocketIOError(.timeout, "no handshake in time")))])
    }

    @Test("an upgrade that comes too late by the clock is none, and polling goes on")
    func lateUpgrade() {
        var session = EngineClientSession(options: EngineClientOptions(upgradeTimeout: .milliseconds(100)))
        _ = session.step(.start, at: .zero)
        _ = session.step(.answered(1, status: 200, body: Self.openBytes), at: .zero)
        #expect(session.step(.webSocketOpened(2), at: .zero) == [.sendFrame(2, "2probe")])
        #expect(session.step(.webSocketMessage(2, "3probe"), at: .milliseconds(100)) == [.closeWebSocket(2)])
        #expect(
            session.step(.answered(3, status: 200, body: Array("6".utf8)), at: .milliseconds(100))
                == [.get(4, sid: "s")])
    }

    @Test("a WebSocket that opens after its upgrade was given up is closed")
    func lateWebSocket() {
        var session = EngineClientSession(options: EngineClientOptions(upgradeTimeout: .milliseconds(100)))
        _ = session.step(.start, at: .zero)
        _ = session.step(.answered(1, status: 200, body: Self.openBytes), at: .zero)
        #expect(session.step(.tick, at: .milliseconds(100)) == [.closeWebSocket(2)])
        #expect(session.step(.webSocketOpened(2), at: .milliseconds(200)) == [.closeWebSocket(2)])
        #expect(session.isOpen)
    }

    @Test("closing tells the server by a post")
    func closes() throws {
        var session = try polling()
        #expect(session.step(.close, at: .zero) == [.post(3, sid: "s", body: Array("1".utf8)), .closed(.forced)])
    }
}
