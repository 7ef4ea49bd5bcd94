/// What can go wrong between the application and the synchronizer.
public struct SyncError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, for code to tell; the list can grow.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        package init(_ description: String) { self.description = description }

        /// The route file has no such entity, action or operation.
        public static let unknownName = Code("unknownName")
        /// There is no such object.
        public static let notFound = Code("notFound")
        /// The record or a field cannot be used as given.
        public static let invalidRecord = Code("invalidRecord")
        /// The path of a custom request is not under the base.
        public static let invalidPath = Code("invalidPath")
        /// The object is not in a state that allows the call.
        public static let wrongState = Code("wrongState")
        /// The server refused; ``SyncError/failure`` holds what it said.
        public static let refused = Code("refused")
        /// The credentials are missing or not accepted.
        public static let signInNeeded = Code("signInNeeded")
        /// There is no answer from the server.
        public static let unreachable = Code("unreachable")
        /// The server's answer cannot be read as the route file says.
        public static let unexpectedAnswer = Code("unexpectedAnswer")
        /// A pull would delete more objects than allowed.
        public static let tooManyDeletes = Code("tooManyDeletes")
        /// Somebody else has the edit lease of the object; ``SyncError/failure`` holds what the server said.
        public static let leased = Code("leased")
        /// Another process pushes from this store.
        public static let pushedElsewhere = Code("pushedElsewhere")
    }

    /// What went wrong, for code; ``message`` is for people.
    public var code: Code
    /// Names the object or entity, the reason and the remedy.
    public var message: String
    /// What the server said, for ``Code/refused``.
    public var failure: MetaObject.Failure?
    /// What a lower layer threw, where something did.
    public var cause: (any Error)?

    /// An error whose message names the object or entity, the reason and the remedy.
    public init(code: Code, message: String, failure: MetaObject.Failure? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.failure = failure
        self.cause = cause
    }

    public var description: String { message }
}

extension SyncError {
    /// There is no answer, or none that says what became of the request: the server may have done what it asked for.
    package var mayHaveHappened: Bool {
        switch cause {
        case let transport as TransportError: transport.mayHaveArrived
        case let wait as ResourceClient.AskedToWait: wait.mayHaveArrived
        case is ResourceClient.FollowsUnavailable, is ResourceClient.UnderWay: true
        case is ResourceClient.WriteNotSent: false
        // A web page, or a 5xx, says nothing of what was done.
        default: code == .unreachable && !StatusMeaning.saysUndone(failure?.status)
        }
    }

    /// The same error of the read before a write, which was not sent then: nothing can have happened.
    package var beforeWrite: SyncError {
        guard mayHaveHappened else { return self }
        var error = self
        switch cause {
        case var transport as TransportError:
            transport.mayHaveArrived = false
            error.cause = transport
        case var wait as ResourceClient.AskedToWait:
            wait.mayHaveArrived = false
            error.cause = wait
        default: error.cause = ResourceClient.WriteNotSent(cause: cause)
        }
        return error
    }

    /// What a request was made of has changed while it waited to be sent.
    package var isOvertaken: Bool {
        let cause = (cause as? ResourceClient.FollowsUnavailable)?.cause ?? cause
        return cause is ResourceClient.Overtaken
    }

    /// No request can be made, for a parent that its path names is gone, and so is what was below it.
    package var isBelowNothing: Bool { cause is ObjectPlace.BelowNothing }

    /// The server asks to come again later, and has done nothing.
    package var isPutOff: Bool { cause is ResourceClient.AskedToWait && !mayHaveHappened }
}

extension SyncError {
    /// A refusal for a caller who waits.
    ///
    /// - Parameter remedy: what a person has to mend where the credentials are not accepted.
    package init(refused failure: MetaObject.Failure, _ treatment: ErrorRules.Treatment, _ what: String, remedy: String)
    {
        let status = failure.status.map { " (\($0))" } ?? ""
        switch treatment {
        case .unauthorized:
            self.init(
                code: .signInNeeded, message: "\(what): \(failure.summary)\(status); \(remedy)", failure: failure)
        case .wait, .retry:
            self.init(code: .unreachable, message: "\(what): \(failure.summary)\(status)", failure: failure)
        default: self.init(code: .refused, message: "\(what): \(failure.summary)\(status)", failure: failure)
        }
    }
}
