import AtmosphereSocketIO
import Testing

@Suite("A server's Engine.IO session")
struct EngineServerSessionTests {
    private static let options = EngineServerOptions(
        pingInterval: .milliseconds(300), pingTimeout: .milliseconds(200), limits: EngineLimits(bufferedBytes: 1000))

    private static func open(_ sid: String, upgrades: String) -> String {
        #"0{"sid":"\#(sid)","upgrades":[\#(upgrades)],"pingInterval":300,"pingTimeout":200,"maxPayload":1000000}"#
    }

    /// A session after its handshake over polling, with link 1.
    private func polling(_ options: EngineServerOptions = options) -> EngineServerSession {
        var session = EngineServerSession(sid: "s", transport: .polling, options: options, at: .zero)
        let actions = session.step(.poll(1), at: .zero)
        if options == Self.options {
            #expect(actions == [.answerPoll(1, Array(Self.open("s", upgrades: #""websocket""#).utf8))])
        }
        return session
    }

    private func webSocket() -> EngineServerSession {
        var session = EngineServerSession(sid: "s", transport: .webSocket, options: Self.options, at: .zero)
        let actions = session.step(.webSocketOpened(1), at: .zero)
        #expect(actions == [.sendFrame(1, .text(Array(Self.open("s", upgrades: "").utf8)))])
        return session
    }

    private func answer(_ link: UInt64, _ text: String) -> EngineServerSession.Action {
        .answerPoll(link, Array(text.utf8))
    }

    private func post(_ session: inout EngineServerSession, _ link: UInt64, _ text: String, at time: Duration = .zero)
        -> [EngineServerSession.Action]
    {
        session.step(.postBegan(link), at: time)
            + session.step(.postEnded(link, Array(text.utf8), isBinary: false), at: time)
    }

    @Test("messages of a payload are delivered in order, then the post is answered")
    func messages() {
        var session = polling()
        #expect(
            post(&session, 2, "4hello\u{1e}bAQIDBA==") == [
                .deliver("hello"), .deliver(.binary([1, 2, 3, 4])), .answerPost(2)
            ])
        #expect(session.step(.send(["hello", .binary([1, 2, 3, 4])]), at: .zero).isEmpty)
        #expect(session.step(.poll(3), at: .zero) == [answer(3, "4hello\u{1e}bAQIDBA==")])
        #expect(session.step(.poll(4), at: .zero).isEmpty)
        #expect(session.step(.send(["now"]), at: .zero) == [answer(4, "4now")])
    }

    @Test("what waits when the session closes comes in payloads of the size that was announced")
    func closingPolls() {
        var options = Self.options
        options.limits.payloadBytes = 10
        var session = polling(options)
        #expect(session.step(.send(["first", "other"]), at: .zero).isEmpty)
        #expect(session.step(.close, at: .zero).isEmpty)
        #expect(session.step(.poll(2), at: .zero) == [answer(2, "4first")])
        #expect(session.step(.poll(3), at: .zero) == [answer(3, "4other\u{1e}1"), .closed(.forced)])
    }

    @Test(
        "what comes behind the end of a deadline finds no session, though no tick came in between",
        arguments: [EngineServerSession.Event.poll(2), .postBegan(2)])
    func lateRequest(event: EngineServerSession.Event) {
        var session = polling()
        // The ping waits for a poll.
        #expect(session.step(.tick, at: .milliseconds(300)).isEmpty)
        #expect(
            session.step(event, at: .milliseconds(500)) == [.refuse(2, .unknownSession), .closed(.pingTimeout)])
        #expect(session.step(.poll(3), at: .milliseconds(500)) == [.refuse(3, .unknownSession)])
    }

    @Test("a pong that comes too late by the clock keeps no session, on either transport")
    func latePong() {
        var session = webSocket()
        _ = session.step(.tick, at: .milliseconds(300))
        #expect(
            session.step(.webSocketMessage(1, "3"), at: .milliseconds(500)) == [
                .closeWebSocket(1), .closed(.pingTimeout)
            ])
        var poller = polling()
        _ = poller.step(.tick, at: .milliseconds(300))
        _ = poller.step(.postBegan(2), at: .milliseconds(400))
        #expect(
            poller.step(.postEnded(2, Array("3".utf8), isBinary: false), at: .milliseconds(500)) == [
                .refuse(2, .badRequest), .closed(.pingTimeout)
            ])
        var inTime = webSocket()
        _ = inTime.step(.tick, at: .milliseconds(300))
        #expect(inTime.step(.webSocketMessage(1, "3"), at: .milliseconds(499)).isEmpty)
    }

    @Test("an upgrade that comes too late by the clock is none, and a session that closes is over when its time is")
    func lateUpgrade() {
        var session = polling(EngineServerOptions(upgradeTimeout: .seconds(1)))
        #expect(session.step(.webSocketOpened(2), at: .zero).isEmpty)
        #expect(session.step(.webSocketMessage(2, "2probe"), at: .seconds(1)) == [.closeWebSocket(2)])
        #expect(session.step(.send(["last"]), at: .seconds(2)).isEmpty)
        #expect(session.step(.close, at: .seconds(2)).isEmpty)
        #expect(session.step(.poll(3), at: .seconds(60)) == [.refuse(3, .unknownSession), .closed(.forced)])
    }

    @Test("a server that ends tells what waits, never a close packet, and is not there for the next request")
    func leaving() {
        var waiting = polling()
        _ = waiting.step(.poll(2), at: .zero)
        #expect(waiting.step(.leave, at: .zero) == [answer(2, "6"), .closed(.forced)])
        #expect(waiting.step(.poll(3), at: .zero) == [.refuse(3, .unknownSession)])
        var options = Self.options
        options.limits.payloadBytes = 10
        var between = polling(options)
        _ = between.step(.send(["first", "other"]), at: .zero)
        #expect(between.step(.leave, at: .zero).isEmpty)
        #expect(between.step(.poll(2), at: .zero) == [answer(2, "4first")])
        #expect(between.step(.poll(3), at: .zero) == [answer(3, "4other"), .closed(.forced)])
        var idle = polling()
        #expect(idle.step(.leave, at: .zero) == [.closed(.forced)])
        var socket = webSocket()
        #expect(socket.step(.leave, at: .zero) == [.closeWebSocket(1), .closed(.forced)])
    }

    @Test("an invalid payload closes the session with 400")
    func invalidPayload() {
        for (body, isBinary) in [("abc", false), ("4hello", true), ("2", false), ("5", false), ("0{}", false)] {
            var session = polling()
            _ = session.step(.postBegan(2), at: .zero)
            let actions = session.step(.postEnded(2, Array(body.utf8), isBinary: isBinary), at: .zero)
            #expect(actions.first == .refuse(2, .badRequest))
            #expect(session.isClosed)
            #expect(session.step(.poll(3), at: .zero) == [.refuse(3, .unknownSession)])
        }
    }

    @Test("a second poll closes the session: the first is told, the second refused")
    func overlappingPolls() {
        var session = polling()
        _ = session.step(.poll(2), at: .zero)
        let actions = session.step(.poll(3), at: .zero)
        #expect(actions.prefix(2) == [.refuse(3, .badRequest), answer(2, "1")])
        #expect(session.isClosed)
    }

    @Test("a second post closes the session, and both are refused")
    func overlappingPosts() {
        var session = polling()
        _ = session.step(.postBegan(2), at: .zero)
        let actions = session.step(.postBegan(3), at: .zero)
        #expect(actions.prefix(2) == [.refuse(3, .badRequest), .refuse(2, .badRequest)])
        #expect(session.isClosed)
    }

    @Test("a body that is too long is refused with 413")
    func tooLarge() {
        var session = polling()
        _ = session.step(.postBegan(2), at: .zero)
        let actions = session.step(.postTooLarge(2), at: .zero)
        #expect(actions.first == .refuse(2, .tooLarge) && session.isClosed)
    }

    @Test("pings come on time, and each pong starts the next interval")
    func heartbeat() {
        var session = polling()
        #expect(session.deadline == .milliseconds(300))
        #expect(session.step(.tick, at: .milliseconds(299)).isEmpty)
        _ = session.step(.poll(2), at: .milliseconds(299))
        #expect(session.step(.tick, at: .milliseconds(300)) == [answer(2, "2")])
        #expect(session.deadline == .milliseconds(500))
        #expect(post(&session, 3, "3", at: .milliseconds(310)) == [.answerPost(3)])
        #expect(session.deadline == .milliseconds(610))
        #expect(post(&session, 4, "3", at: .milliseconds(400)) == [.answerPost(4)])
        #expect(session.deadline == .milliseconds(610), "a pong that nobody asked for moves no deadline")
    }

    @Test("without a pong the session ends on time, over both transports")
    func pingTimeout() {
        var session = polling()
        _ = session.step(.tick, at: .milliseconds(300))
        _ = session.step(.poll(2), at: .milliseconds(301))
        _ = session.step(.poll(3), at: .milliseconds(302))
        #expect(session.step(.tick, at: .milliseconds(499)).isEmpty)
        #expect(session.step(.tick, at: .milliseconds(500)) == [answer(3, "1"), .closed(.pingTimeout)])
        var other = webSocket()
        #expect(other.step(.tick, at: .milliseconds(300)) == [.sendFrame(1, "2")])
        #expect(other.step(.tick, at: .milliseconds(500)) == [.closeWebSocket(1), .closed(.pingTimeout)])
        #expect(other.deadline == nil)
    }

    @Test("a close packet ends the pending poll with a noop, and the post with ok")
    func clientCloses() {
        var session = polling()
        _ = session.step(.poll(2), at: .zero)
        #expect(post(&session, 3, "1") == [answer(2, "6"), .answerPost(3), .closed(.transportClose)])
        var other = webSocket()
        #expect(other.step(.webSocketMessage(1, "1"), at: .zero) == [.closeWebSocket(1), .closed(.transportClose)])
    }

    @Test("a WebSocket brings and takes messages, and an invalid one ends it")
    func webSocketMessages() {
        var session = webSocket()
        #expect(session.directWebSocket == 1)
        #expect(session.step(.webSocketMessage(1, "4hello"), at: .zero) == [.deliver("hello")])
        #expect(session.step(.webSocketMessage(1, .binary([1])), at: .zero) == [.deliver(.binary([1]))])
        #expect(
            session.step(.send(["a", .binary([2])]), at: .zero) == [.sendFrame(1, "4a"), .sendFrame(1, .binary([2]))])
        let actions = session.step(.webSocketMessage(1, "abc"), at: .zero)
        #expect(actions.first == .closeWebSocket(1) && session.isClosed)
    }

    @Test("an upgrade answers the probe, ends the pending poll with a noop, and goes over")
    func upgrade() {
        var session = polling()
        _ = session.step(.poll(2), at: .zero)
        #expect(session.step(.webSocketOpened(3), at: .zero).isEmpty)
        #expect(session.step(.webSocketMessage(3, "2probe"), at: .zero) == [.sendFrame(3, "3probe"), answer(2, "6")])
        #expect(session.step(.poll(4), at: .milliseconds(10)).isEmpty)
        #expect(session.deadline == .milliseconds(100))
        #expect(session.step(.tick, at: .milliseconds(100)) == [answer(4, "6")])
        #expect(session.step(.send(["queued"]), at: .milliseconds(110)).isEmpty)
        #expect(
            session.step(.webSocketMessage(3, "5"), at: .milliseconds(120)) == [.sendFrame(3, "4queued"), .upgraded])
        #expect(session.step(.poll(5), at: .milliseconds(130)) == [.refuse(5, .badRequest)])
        #expect(session.step(.postBegan(6), at: .milliseconds(130)) == [.refuse(6, .badRequest)])
        #expect(session.step(.webSocketOpened(7), at: .milliseconds(130)) == [.closeWebSocket(7)])
        #expect(session.step(.webSocketMessage(3, "4hello"), at: .milliseconds(130)) == [.deliver("hello")])
    }

    @Test("messages go out by polling until the client has upgraded")
    func messagesDuringUpgrade() {
        var session = polling()
        _ = session.step(.webSocketOpened(3), at: .zero)
        _ = session.step(.webSocketMessage(3, "2probe"), at: .zero)
        _ = session.step(.send(["a"]), at: .zero)
        #expect(session.step(.poll(4), at: .zero) == [answer(4, "4a")])
    }

    @Test(
        "a failed upgrade leaves polling as it was",
        arguments: ["5", "2", "3probe", "4hello", "garbage"])
    func failedUpgrade(frame: String) {
        var session = polling()
        _ = session.step(.webSocketOpened(3), at: .zero)
        #expect(session.step(.webSocketMessage(3, .text(Array(frame.utf8))), at: .zero) == [.closeWebSocket(3)])
        _ = session.step(.send(["a"]), at: .zero)
        #expect(session.step(.poll(4), at: .zero) == [answer(4, "4a")])
    }

    @Test("an upgrade that is not finished in time, or is lost, leaves polling as it was")
    func abandonedUpgrade() {
        var session = polling(EngineServerOptions(upgradeTimeout: .seconds(1)))
        _ = session.step(.webSocketOpened(3), at: .zero)
        _ = session.step(.webSocketMessage(3, "2probe"), at: .zero)
        #expect(session.step(.webSocketOpened(4), at: .zero) == [.closeWebSocket(4)], "one attempt at a time")
        #expect(session.step(.tick, at: .seconds(1)) == [.closeWebSocket(3)])
        _ = session.step(.webSocketOpened(5), at: .seconds(1))
        #expect(session.step(.webSocketClosed(5), at: .seconds(1)).isEmpty)
        #expect(!session.isClosed)
    }

    @Test("the server's close reaches a poll at once, the next poll, or nobody after its time")
    func serverCloses() {
        var waiting = polling()
        _ = waiting.step(.poll(2), at: .zero)
        #expect(waiting.step(.close, at: .zero) == [answer(2, "1"), .closed(.forced)])
        var between = polling()
        _ = between.step(.send(["last"]), at: .zero)
        #expect(between.step(.close, at: .zero).isEmpty)
        #expect(between.step(.poll(2), at: .seconds(1)) == [answer(2, "4last\u{1e}1"), .closed(.forced)])
        var gone = polling()
        _ = gone.step(.close, at: .zero)
        #expect(gone.step(.tick, at: .seconds(30)) == [.closed(.forced)])
        var socket = webSocket()
        #expect(socket.step(.close, at: .zero) == [.closeWebSocket(1), .closed(.forced)])
    }

    @Test("a client that fetches nothing is closed when the buffer is full")
    func overflow() {
        var session = polling()
        let message = EngineMessage.text(Array(repeating: UInt8(ascii: "a"), count: 400))
        #expect(session.step(.send([message, message]), at: .zero).isEmpty)
        #expect(session.bufferedBytes == 802)
        #expect(session.step(.send([message]), at: .zero) == [.closed(.overflow)])
    }

    @Test("one poll gets no more than one payload may hold")
    func payloadSize() {
        var session = polling(EngineServerOptions(limits: EngineLimits(payloadBytes: 10)))
        _ = session.step(.send(["aaaa", "bbb", "c"]), at: .zero)
        #expect(session.step(.poll(2), at: .zero) == [answer(2, "4aaaa\u{1e}4bbb")])
        #expect(session.step(.poll(3), at: .zero) == [answer(3, "4c")])
        #expect(session.bufferedBytes == 0)
    }

    @Test("a request whose connection breaks ends a polling session")
    func lostRequest() {
        var session = polling()
        _ = session.step(.poll(2), at: .zero)
        #expect(session.step(.requestLost(9), at: .zero).isEmpty)
        #expect(session.step(.requestLost(2), at: .zero) == [.closed(.transportError)])
    }
}
