#if Notifications
    package import Atmosphere
    package import AtmosphereSocketIO

    /// What happens with the clients of a ``SocketIOServer``. Everything is called on the client's event loop and must
    /// return at once.
    package protocol SocketApplication: Sendable {
        /// A client asks for a namespace: accept or refuse it, now or later.
        func clientAsked(
            _ client: SocketClient, _ namespace: String, _ auth: Value.Members, _ recovery: SocketRecovery?)
        func clientEmitted(_ client: SocketClient, _ namespace: String, _ event: SocketEvent, acknowledgement: UInt64?)
        func clientAcknowledged(
            _ client: SocketClient, _ namespace: String, _ number: UInt64, _ arguments: [SocketArgument])
        /// A client is out of a namespace, whoever ended it.
        func clientLeft(_ client: SocketClient, _ namespace: String)
        /// A client has taken what was waiting for it.
        func clientBecameReady(_ client: SocketClient)
        /// The event loops are about to end: nothing may be given to them any more.
        func ended()
        /// Any request outside the path of Socket.IO.
        func answer(_ request: HTTPRequest, to responder: any Answering)
    }

    extension SocketApplication {
        package func ended() {}
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
