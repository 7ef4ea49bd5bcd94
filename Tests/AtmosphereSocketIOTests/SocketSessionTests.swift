import Atmosphere
import AtmosphereSocketIO
import Testing

@Suite("The sessions of Socket.IO")
struct SocketSessionTests {
    private func joined(_ namespace: String = "/", options: SocketServerOptions = SocketServerOptions()) throws
        -> SocketServerSession
    {
        var session = SocketServerSession(options: options, at: .zero)
        try join(&session, namespace)
        return session
    }

    private func join(_ session: inout SocketServerSession, _ namespace: String) throws {
        _ = try session.step(.message(.text(Array("0\(namespace),".utf8))), at: .zero)
        let actions = try session.step(.accept(namespace: namespace, sid: "x", pid: nil), at: .zero)
        let text = namespace == "/" ? #"0{"sid":"x"}"# : #"0\#(namespace),{"sid":"x"}"#
        #expect(actions == [.send([.text(Array(text.utf8))])])
    }

    @Test("two namespaces with canonically equivalent names are two")
    func equivalentNamespaces() throws {
        let session = try joined("/caf\u{E9}")
        #expect(session.isConnected(to: "/caf\u{E9}") && !session.isConnected(to: "/cafe\u{301}"))
        var client = SocketClientSession()
        _ = try client.step(.connectionOpened, at: .zero)
        _ = try client.step(.connect(namespace: "/caf\u{E9}", auth: [:]), at: .zero)
        _ = try client.step(.message(.text(Array("0/cafe\u{301},{\"sid\":\"x\"}".utf8))), at: .zero)
        #expect(!client.isConnected(to: "/caf\u{E9}"))
    }

    private func isClosed(_ actions: [SocketServerSession.Action]) -> Bool {
        if case .close = actions.last { true } else { false }
    }

    @Test("a client keeps events that overtake the answer to its connect packet, and no more of them than a few")
    func early() throws {
        var session = SocketClientSession()
        _ = try session.step(.connect(namespace: "/", auth: [:]), at: .zero)
        _ = try session.step(.connectionOpened, at: .zero)
        #expect(try session.step(.message(#"2["a",1,"o1"]"#), at: .zero).isEmpty)
        #expect(
            try session.step(.message(#"0{"sid":"s","pid":"p"}"#), at: .zero) == [
                .connected(namespace: "/", sid: "s", isRecovered: false),
                .event(namespace: "/", SocketEvent("a", [1, "o1"]), acknowledgement: nil)
            ])
        #expect(session.recovery(of: "/") == SocketRecovery(pid: "p", offset: "o1"))
        var flooded = SocketClientSession()
        _ = try flooded.step(.connect(namespace: "/", auth: [:]), at: .zero)
        _ = try flooded.step(.connectionOpened, at: .zero)
        var count = 0
        while try flooded.step(.message(#"2["a"]"#), at: .zero).isEmpty, count < 1000 { count += 1 }
        #expect(count == 64)
    }

    @Test("a client is let in with its credentials, or refused with a reason")
    func connect() throws {
        var session = SocketServerSession(at: .zero)
        #expect(
            try session.step(.message(#"0/custom,{"token":"abc"}"#), at: .zero)
                == [.authorize(namespace: "/custom", auth: ["token": "abc"], recovery: nil)])
        #expect(
            try session.step(.refuse(namespace: "/custom", message: "no", data: ["code": 1]), at: .zero)
                == [.send([#"4/custom,{"message":"no","data":{"code":1}}"#])])
        #expect(
            try session.step(.message(#"0{"pid":"p","offset":"o"}"#), at: .zero)
                == [
                    .authorize(
                        namespace: "/", auth: ["pid": "p", "offset": "o"],
                        recovery: SocketRecovery(pid: "p", offset: "o"))
                ])
        #expect(
            try session.step(.accept(namespace: "/", sid: "s", pid: "p"), at: .zero)
                == [.send([#"0{"sid":"s","pid":"p"}"#])])
        #expect(session.namespaces == ["/"])
    }

    @Test(
        "a packet that is out of place closes the connection",
        arguments: ["abc", "2{}", #"2["a"]"#, "1", "30[]", #"4{"message":"x"}"#, #"0["a"]"#])
    func firstPacket(text: String) throws {
        var session = SocketServerSession(at: .zero)
        #expect(isClosed(try session.step(.message(.text(Array(text.utf8))), at: .zero)))
        #expect(try session.step(.message("0"), at: .zero).isEmpty, "nothing is done any more")
        #expect(session.deadline == nil)
    }

    @Test("asking twice for a namespace, or an error from the client, closes the connection")
    func invalidState() throws {
        for text in ["0", #"4{"message":"x"}"#, #"2/other,["a"]"#, "42abc"] {
            var session = try joined()
            let actions = try session.step(.message(.text(Array(text.utf8))), at: .zero)
            #expect(isClosed(actions) && actions.first == .disconnected(namespace: "/", unanswered: []))
        }
    }

    @Test("a client that joins nothing in time is sent away")
    func connectTimeout() throws {
        var session = SocketServerSession(at: .zero)
        #expect(session.deadline == .seconds(10))
        #expect(isClosed(try session.step(.tick, at: .seconds(10))))
        var other = try joined()
        #expect(other.deadline == nil)
        #expect(try other.step(.tick, at: .seconds(100)).isEmpty)
    }

    @Test("a client that the server does not answer in time loses its connection, and is not sent away")
    func unanswered() throws {
        var session = SocketServerSession(at: .zero)
        _ = try session.step(.message("0"), at: .seconds(1))
        #expect(try session.step(.tick, at: .seconds(9)).isEmpty)
        #expect(try session.step(.tick, at: .seconds(10)) == [.leave])
        #expect(try session.step(.accept(namespace: "/", sid: "s", pid: nil), at: .seconds(11)).isEmpty)
        #expect(session.deadline == nil)
    }

    @Test("who leaves its last namespace has as long to ask for another as at the beginning")
    func inNoNamespace() throws {
        for leaves in [SocketServerSession.Event.message("1"), .disconnect(namespace: "/")] {
            var session = try joined()
            _ = try session.step(leaves, at: .seconds(100))
            #expect(session.deadline == .seconds(110))
            _ = try session.step(.message("0"), at: .seconds(105))
            _ = try session.step(.accept(namespace: "/", sid: "s", pid: nil), at: .seconds(106))
            #expect(session.deadline == nil)
            _ = try session.step(leaves, at: .seconds(200))
            #expect(isClosed(try session.step(.tick, at: .seconds(210))))
        }
    }

    @Test("events and their acknowledgements go both ways")
    func events() throws {
        var session = try joined()
        #expect(
            try session.step(.message(#"2456["ask",1]"#), at: .zero)
                == [.event(namespace: "/", SocketEvent("ask", [1]), acknowledgement: 456)])
        #expect(
            try session.step(.acknowledge(namespace: "/", id: 456, ["yes"]), at: .zero)
                == [.send([#"3456["yes"]"#])])
        #expect(
            try session.step(.emit(namespace: "/", SocketEvent("a", [.binary([1])]), acknowledgement: 77), at: .zero)
                == [.send([#"51-0["a",{"_placeholder":true,"num":0}]"#, .binary([1])])])
        #expect(try session.step(.message(#"39["unknown"]"#), at: .zero).isEmpty)
        #expect(
            try session.step(.message("30[true]"), at: .zero)
                == [.acknowledged(77, namespace: "/", arguments: [.json(true)])])
        #expect(try session.step(.message("30[true]"), at: .zero).isEmpty, "the second answer counts for nothing")
    }

    @Test("leaving one namespace leaves the others")
    func leaving() throws {
        var session = try joined()
        try join(&session, "/custom")
        _ = try session.step(.emit(namespace: "/custom", SocketEvent("a"), acknowledgement: 5), at: .zero)
        #expect(
            try session.step(.message("1/custom,"), at: .zero) == [.disconnected(namespace: "/custom", unanswered: [5])]
        )
        #expect(
            try session.step(.message(#"2["a"]"#), at: .zero)
                == [.event(namespace: "/", SocketEvent("a"), acknowledgement: nil)])
        let error = #expect(throws: SocketIOError.self) {
            try session.step(.emit(namespace: "/custom", SocketEvent("a"), acknowledgement: nil), at: .zero)
        }
        #expect(error?.code == .notConnected)
    }

    @Test("what a client sent before it knew of its removal is dropped, and it may come back")
    func removal() throws {
        var session = try joined()
        #expect(
            try session.step(.disconnect(namespace: "/"), at: .zero)
                == [.send(["1"]), .disconnected(namespace: "/", unanswered: [])])
        #expect(try session.step(.message(#"2["late"]"#), at: .zero).isEmpty)
        try join(&session, "/")
    }

    @Test("namespaces, attempts, acknowledgements and the time for attachments are limited")
    func limits() throws {
        let options = SocketServerOptions(
            attachmentTimeout: .seconds(5), limits: SocketLimits(namespaces: 2, acknowledgements: 1))
        var session = try joined(options: options)
        try join(&session, "/a")
        #expect(
            try session.step(.message("0/b,"), at: .zero)
                == [.send([#"4/b,{"message":"Too many namespaces"}"#])])
        _ = try session.step(.emit(namespace: "/", SocketEvent("a"), acknowledgement: 1), at: .zero)
        let error = #expect(throws: SocketIOError.self) {
            try session.step(.emit(namespace: "/", SocketEvent("a"), acknowledgement: 2), at: .zero)
        }
        #expect(error?.code == .tooManyAcknowledgements)
        let text: EngineMessage = #"52-["a",{"_placeholder":true,"num":0},{"_placeholder":true,"num":1}]"#
        _ = try session.step(.message(text), at: .seconds(1))
        _ = try session.step(.message(.binary([1])), at: .seconds(5))
        #expect(session.deadline == .seconds(6))
        #expect(isClosed(try session.step(.tick, at: .seconds(6))))
        var flooded = SocketServerSession(at: .zero)
        var actions: [SocketServerSession.Action] = []
        for _ in 0...64 {
            actions = try flooded.step(.message("0/x,"), at: .zero)
            if isClosed(actions) { break }
            _ = try flooded.step(.refuse(namespace: "/x", message: "no", data: nil), at: .zero)
        }
        #expect(isClosed(actions))
    }

    @Test("a client asks again after a new connection, with the offset of the last event")
    func recovery() throws {
        var client = SocketClientSession()
        #expect(try client.step(.connect(namespace: "/", auth: ["token": "t"]), at: .zero).isEmpty)
        #expect(try client.step(.connectionOpened, at: .zero) == [.send([#"0{"token":"t"}"#])])
        #expect(
            try client.step(.message(#"0{"sid":"a","pid":"p"}"#), at: .zero)
                == [.connected(namespace: "/", sid: "a", isRecovered: false)])
        _ = try client.step(.message(#"2["update",{},"17"]"#), at: .zero)
        _ = try client.step(.emit(namespace: "/", SocketEvent("x"), acknowledgement: 3), at: .zero)
        #expect(
            try client.step(.connectionClosed, at: .zero)
                == [.disconnected(namespace: "/", byServer: false, unanswered: [3])])
        #expect(
            try client.step(.connectionOpened, at: .zero) == [.send([#"0{"token":"t","pid":"p","offset":"17"}"#])])
        #expect(
            try client.step(.message(#"0{"sid":"a","pid":"p"}"#), at: .zero)
                == [.connected(namespace: "/", sid: "a", isRecovered: true)])
        _ = try client.step(.connectionClosed, at: .zero)
        _ = try client.step(.connectionOpened, at: .zero)
        #expect(
            try client.step(.message(#"0{"sid":"b","pid":"q"}"#), at: .zero)
                == [.connected(namespace: "/", sid: "b", isRecovered: false)])
        #expect(client.recovery(of: "/") == nil, "the offset of a lost state is forgotten")
    }

    @Test("what cannot be read is not asked for again, and an offset alone is enough to ask")
    func forgetting() throws {
        var client = SocketClientSession()
        _ = try client.step(.connect(namespace: "/", auth: [:]), at: .zero)
        for bad in [SocketClientSession.Event.message("2["), .forget] {
            _ = try client.step(.connectionOpened, at: .zero)
            _ = try client.step(.message(#"0{"sid":"a","pid":"p"}"#), at: .zero)
            _ = try client.step(.message(#"2["update",{},"17"]"#), at: .zero)
            #expect(client.recovery(of: "/") == SocketRecovery(pid: "p", offset: "17"))
            _ = try client.step(bad, at: .zero)
            #expect(client.recovery(of: "/") == nil)
            _ = try client.step(.connectionClosed, at: .zero)
        }
        #expect(try client.step(.connectionOpened, at: .zero) == [.send(["0"])])
        var server = SocketServerSession(at: .zero)
        #expect(
            try server.step(.message(#"0{"offset":"17"}"#), at: .zero)
                == [
                    .authorize(
                        namespace: "/", auth: ["offset": "17"], recovery: SocketRecovery(pid: "", offset: "17"))
                ])
    }

    @Test("a client that is refused or put out does not ask again by itself")
    func refusal() throws {
        var client = SocketClientSession()
        _ = try client.step(.connectionOpened, at: .zero)
        #expect(try client.step(.connect(namespace: "/a", auth: [:]), at: .zero) == [.send(["0/a,"])])
        #expect(
            try client.step(.message(#"4/a,{"message":"no","data":1}"#), at: .zero)
                == [.refused(namespace: "/a", message: "no", data: 1)])
        _ = try client.step(.connect(namespace: "/a", auth: [:]), at: .zero)
        _ = try client.step(.message(#"0/a,{"sid":"s"}"#), at: .zero)
        #expect(
            try client.step(.message("1/a,"), at: .zero)
                == [.disconnected(namespace: "/a", byServer: true, unanswered: [])])
        _ = try client.step(.connectionClosed, at: .zero)
        #expect(try client.step(.connectionOpened, at: .zero).isEmpty)
    }

    @Test("a server that does not answer, or breaks the protocol, is left")
    func brokenServer() throws {
        var silent = SocketClientSession()
        _ = try silent.step(.connect(namespace: "/", auth: [:]), at: .zero)
        _ = try silent.step(.connectionOpened, at: .zero)
        #expect(silent.deadline == .seconds(20))
        let actions = try silent.step(.tick, at: .seconds(20))
        #expect(actions == [.close(SocketIOError(.timeout, "the server did not answer a connect packet"))])
        for (time, isInTime) in [(Duration.seconds(19), true), (.seconds(20), false)] {
            var late = SocketClientSession()
            _ = try late.step(.connect(namespace: "/", auth: [:]), at: .zero)
            _ = try late.step(.connectionOpened, at: .zero)
            // By the clock: no tick came in between.
            let answered = try late.step(.message(#"0{"sid":"s"}"#), at: time)
            #expect(late.isConnected(to: "/") == isInTime)
            #expect(isInTime || answered == actions)
        }
        for text in ["0", "30[]", "9"] {
            var client = SocketClientSession()
            _ = try client.step(.connect(namespace: "/", auth: [:]), at: .zero)
            _ = try client.step(.connectionOpened, at: .zero)
            let actions = try client.step(.message(.text(Array(text.utf8))), at: .zero)
            guard case .close? = actions.last else {
                Issue.record("“\(text)” was taken")
                continue
            }
        }
    }
}
