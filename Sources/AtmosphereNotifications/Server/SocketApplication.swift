#if Notifications
    public import AtmosphereExchange
    public import AtmosphereSocketIO

    /// What happens with the clients of a ``SocketIOServer``: conform to it for a server of your own (<doc:YourOwnServer>).
    ///
    /// Everything is called on the client's own thread and must return at once: all other clients of that thread wait. What
    /// takes time goes into a task, which comes back through ``SocketClient/execute(_:)``.
    public protocol SocketApplication: Sendable {
        /// A client asks for a namespace: let it in with ``SocketClient/accept(_:sid:pid:)`` or send it away with
        /// ``SocketClient/refuse(_:message:data:)``, now or later. A client that is not answered within ten seconds
        /// (``AtmosphereSocketIO/SocketServerOptions/connectTimeout``) loses its connection.
        ///
        /// - Parameters:
        ///   - auth: what the client says of itself; nothing of it is proved.
        ///   - recovery: what it knows of a connection that it had before; nil where it has had none.
        func clientAsked(
            _ client: SocketClient, _ namespace: String, _ auth: Value.Members, _ recovery: SocketRecovery?)

        /// A client that was let in emitted an event.
        ///
        /// - Parameter acknowledgement: for ``SocketClient/acknowledge(_:_:_:)``; nil where it waits for none.
        func clientEmitted(_ client: SocketClient, _ namespace: String, _ event: SocketEvent, acknowledgement: UInt64?)

        /// A client answered an event that was emitted with this number. Does nothing by default.
        func clientAcknowledged(
            _ client: SocketClient, _ namespace: String, _ number: UInt64, _ arguments: [SocketArgument])

        /// A client is out of a namespace that it was in, whoever ended it. Does nothing by default.
        func clientLeft(_ client: SocketClient, _ namespace: String)

        /// A client has taken what was waiting for it. Does nothing by default.
        func clientBecameReady(_ client: SocketClient)
    }

    extension SocketApplication {
        /// Does nothing.
        public func clientAcknowledged(
            _ client: SocketClient, _ namespace: String, _ number: UInt64, _ arguments: [SocketArgument]
        ) {}
        /// Does nothing.
        public func clientLeft(_ client: SocketClient, _ namespace: String) {}
        /// Does nothing.
        public func clientBecameReady(_ client: SocketClient) {}
    }

    /// An application that answers other requests, too; without it they are answered with 404.
    package protocol HTTPApplication: SocketApplication {
        /// The event loops are about to end: nothing may be given to them any more.
        func ended()
        /// Any request outside the path of Socket.IO.
        func answer(_ request: HTTPRequest, to responder: any Answering)
    }

    /// Where an answer goes; may be called from any thread, once.
    package protocol Answering: Sendable {
        /// Runs tasks where the answer is written: one that has to wait for nothing costs no change of threads. They must
        /// not block.
        var executor: any TaskExecutor { get }
        func answer(_ answer: HTTPAnswer)
        /// Who has sent the request may send it: the connection does not count among those of unknown clients.
        func trust()
    }

    extension HTTPResponder: Answering {}
#endif
