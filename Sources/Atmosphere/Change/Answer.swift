/// How one try to send ended.
enum Answer: Equatable, Sendable {
    /// Content has arrived; what its member is set to, nil where the server sets it.
    case uploaded(Value?)
    /// 2xx. `nil` where the body says nothing of the object.
    case accepted(Representation?)
    /// 2xx to a delete, of which a read tells whether it is done. `isLater`: 202.
    case begun(isLater: Bool)
    /// The server has no such object (404, 410); not certain where the address may be wrong.
    case gone(MetaObject.Failure, isCertain: Bool = true)
    /// The server's object is another version (409, 412); `theirs` is that object, where the answer shows it.
    case conflict(MetaObject.Failure, theirs: Representation? = nil)
    /// The edit lease is not held any more under which it was sent: not processed, and another may have changed the object.
    case unleased(MetaObject.Failure)
    case rejected(MetaObject.Failure)
    /// No answer, or one that says nothing of the outcome.
    case failed(MetaObject.Failure, mayHaveArrived: Bool)
    /// Asked to wait (429), or not signed in: not processed, not counted.
    case postponed(MetaObject.Failure)
}

extension Answer {
    /// The identifier that a success gives the object.
    var id: ObjectID? { if case .accepted(let theirs) = self { theirs?.id } else { nil } }

    /// What a refused request means for the object.
    init(_ failure: MetaObject.Failure, _ treatment: ErrorRules.Treatment, of order: ObjectRequest) {
        switch treatment {
        case .reject: self = .rejected(failure)
        case .gone: self = .gone(failure)
        case .conflict: self = .conflict(failure)
        case .unauthorized: self = .postponed(failure)
        case .wait:
            // 429 says that nothing was done; after a 503 a create may have happened.
            self = failure.status == 503 ? .failed(failure, mayHaveArrived: true) : .postponed(failure)
        case .retry: self = .failed(failure, mayHaveArrived: !StatusMeaning.saysUndone(failure.status))
        }
    }
}

extension Answer {
    /// What a success says of the write that it answers.
    ///
    /// - Parameters:
    ///   - sent: the record that was sent; nil for a delete.
    ///   - place: where the write was sent to.
    init(
        to verb: Verb, of sent: ObjectRecord?, in reply: ResourceClient.Reply, of resource: Resource,
        at place: ObjectPlace, sequence: Int64, _ client: ResourceClient
    ) {
        guard !client.isWebPage(reply) else {
            self = .failed(.init(message: ResourceClient.webPageMessage), mayHaveArrived: true)
            return
        }
        var place = place
        switch verb {
        case .update, .action:
            // What the answer does not say of its parents it shows where the write has brought it.
            let carried = sent.map { ChangeEngine(resource).carried(by: verb.action, $0, over: place.record) }
            if let carried { place = place.moved(by: carried, of: resource) }
        case .create, .delete, .upload: break
        }
        let shows = reply.isSeenElsewhere ? resource.read : resource.operation(verb)
        let found = client.representation(in: reply, of: resource, at: place, operation: shows, sequence: sequence)
        if verb == .delete, let isLater = resource.isOpen(reply, found) {
            self = .begun(isLater: isLater)
        } else {
            self = .accepted(resource.told(by: reply, found, shows))
        }
    }
}

extension Answer {
    /// The same where the try before was answered with 503: that one may have done what this one is refused for, whatever that
    /// is.
    func afterUnavailable(_ verb: Verb) -> Answer {
        switch self {
        case .conflict(let failure, _), .unleased(let failure), .rejected(let failure), .postponed(let failure):
            .failed(failure, mayHaveArrived: true)
        case .gone(let failure, _) where verb == .create: .failed(failure, mayHaveArrived: true)
        case .gone, .failed, .accepted, .begun, .uploaded: self
        }
    }
}

extension Answer {
    /// Whether the server has done what was asked, or may have.
    var mayHaveArrived: Bool {
        switch self {
        case .uploaded, .accepted, .begun, .failed(_, mayHaveArrived: true): true
        case .failed, .gone, .conflict, .unleased, .rejected, .postponed: false
        }
    }

    /// Why the server did not do what was asked; nil for a success.
    var failure: MetaObject.Failure? {
        switch self {
        case .uploaded, .accepted, .begun: nil
        case .gone(let failure, _), .conflict(let failure, _), .unleased(let failure), .rejected(let failure),
            .failed(let failure, _), .postponed(let failure):
            failure
        }
    }
}
