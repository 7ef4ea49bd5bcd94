/// The call of an action that the route file declares.
struct ActionCall: Sendable {
    private let synchronizer: Synchronizer
    private let resource: Resource
    private let action: Action
    private let arguments: Value.Members

    private var client: ResourceClient { synchronizer.client }
    private var routeFile: RouteFile { synchronizer.routeFile }

    /// - Throws: ``SyncError`` `unknownName` for an entity, an action or an argument that the route file does not have.
    init(_ synchronizer: Synchronizer, _ name: String, of entity: String, _ arguments: Value.Members) throws {
        self.synchronizer = synchronizer
        self.resource = try synchronizer.resource(entity)
        self.action = try Self.action(name, of: resource, arguments)
        self.arguments = arguments
    }

    /// Calls it for an object, and merges the object where it comes back.
    ///
    /// - Parameter condition: looks at the object, as the application sees it, in the object's lane and before the server is asked,
    ///   and throws where the action is not to be called. nil calls it whatever the object is.
    /// - Returns: the answer's body; nil where it is empty.
    func run(
        on uri: ObjectURI, where condition: (@Sendable (LocalObject) throws -> Void)?
    ) async throws -> Value? {
        let answered: Answered
        if resource.lease != nil, action.method != "GET" {
            // What an action changes is changed under the lease, as by any other write.
            answered = try await WriteTurn(synchronizer).hold(of: uri) {
                try await call(on: uri, where: condition)
            } then: {
                try await read(uri, behind: $0)
            }
        } else {
            // Whoever waits for the lane sees what the action has changed.
            answered = try await synchronizer.lanes.run(at: uri, in: synchronizer.store) {
                let answered = try await call(on: uri, where: condition)
                try await read(uri, behind: answered)
                return answered
            }
        }
        do {
            try await Puller(synchronizer).pull(action.changes, below: [uri])
        } catch {
            // The action is done all the same.
            synchronizer.note(uri, (error as? SyncError)?.message ?? "\(error)")
        }
        return answered.body
    }

    /// The answer's body, and what has to be asked next about the object.
    private struct Answered: Sendable {
        var body: Value?
        var next: ObjectRequest?
    }

    /// Reads the object, whose lane is held, where the answer does not show it.
    private func read(_ uri: ObjectURI, behind answered: Answered) async throws {
        guard answered.next == .read, resource.read.isOffered else { return }
        do {
            try await ObjectRefresh(synchronizer: synchronizer, origin: .push).once(uri)
        } catch let error as SyncError {
            // The action is done all the same.
            synchronizer.note(uri, error.message)
        }
    }

    private func call(
        on uri: ObjectURI, where condition: (@Sendable (LocalObject) throws -> Void)?
    ) async throws -> Answered {
        let (before, place, arguments) = try await synchronizer.store.read { snapshot in
            let (_, object) = try snapshot.existing(uri)
            try condition?(synchronizer.viewed(object))
            guard !object.meta.isLocalOnly else {
                throw SyncError(
                    code: .wrongState,
                    message: "\(uri) is not on the server yet; push it before you \(action.name) it")
            }
            let place = try ObjectPlace(object, resource: resource, routeFile: routeFile, in: snapshot)
            return (object, place, try resolved(in: snapshot))
        }
        let present = before.uri
        let sequence = synchronizer.nextSequence()
        var request = try client.actionRequest(action, resource, at: place, arguments: arguments)
        if action.method != "GET",
            let token = try await LeaseKeeper(synchronizer).leaseForWrite(to: present, resource)?.token,
            let header = resource.lease?.token?.header
        {
            request.headers[header] = token
        }
        let reply: ResourceClient.Reply
        do {
            reply = try await self.reply(to: request, "\(action.name) \(present)", about: present)
        } catch {
            // A call that was cancelled may have arrived, too.
            if (error as? SyncError)?.mayHaveHappened ?? true { try await remember(arguments, from: before) }
            throw error
        }
        let called = ChangeEngine(resource).called(action, arguments, in: before)
        let shownAt = called.map { place.moved(by: $0, of: resource) } ?? place
        let answered = client.representation(in: reply, of: resource, at: shownAt, sequence: sequence)
        let told = resource.told(by: reply, answered, resource.operation(.action(action.name)))
        let move = called.flatMap { ChangeEngine(resource).move(of: before.meta, by: $0, told) }
        let address: String? = if let move { move.id?.text } else { present.id }
        let found = told.flatMap { $0.isTelling && $0.id?.text == address ? $0 : nil }
        let next = try await store(found, setting: arguments, from: before, move, sequence: sequence)
        return Answered(body: try synchronizer.body(of: reply, resource), next: next)
    }

    /// Stores what the answer shows. What the call has set takes the place of what was edited in the same members before it.
    ///
    /// - Parameters:
    ///   - found: what the answer shows of the object; nil where that is nothing.
    ///   - before: the object as it was when the action was called.
    ///   - move: where the call has brought it; nil where it stays.
    ///   - sequence: the start sequence of the call.
    /// - Returns: what has to be asked next about the object.
    private func store(
        _ found: Representation?, setting arguments: Value.Members, from before: LocalObject, _ move: Move?,
        sequence: Int64
    ) async throws -> ObjectRequest? {
        let names = ChangeEngine(resource).members(setBy: action, arguments, in: before, shown: found?.record)
        guard found != nil || !names.isEmpty else { return nil }
        let present = before.uri
        let key = synchronizer.environment.makeUUID()
        let arrival = synchronizer.nextSequence()
        return try await synchronizer.store.write(names.isEmpty ? .process : .power, origin: .push) {
            transaction -> ObjectRequest? in
            let engine = ChangeEngine(resource)
            let writer = ObjectWriter(routeFile: routeFile, transaction: transaction)
            let here = try transaction.object(at: present)
            var left = here.map { engine.withoutEdits(of: names, in: before, $0, key: key) }
            let isDropped = left != here
            // What stands there already may be another object, and have changes of its own.
            let target = move.flatMap(\.id).map { ObjectURI(entity: resource.name, id: $0.text) }
            if move != nil, try target.flatMap({ try transaction.meta(at: $0) }) != nil || target == nil {
                let plan = left.map { engine.elsewhere($0, arrival: arrival, key: key) } ?? Plan()
                try writer.apply(plan, to: present, toldAt: arrival)
                return nil
            }
            if found == nil, isDropped, let dropped = left {
                // What the server has made of it is shown by a read, and that can fail.
                left = engine.unansweredCall(action, arguments, from: before, over: dropped, arrival: arrival, key: key)
            }
            if isDropped, let left { try writer.put(left, over: present) }
            guard var found else { return isDropped ? .read : nil }
            found.own = names
            var plan = engine.remote(found, over: left, uri: present, key: key)
            if let id = move?.id { plan = plan.naming(id, left) }
            try writer.apply(plan, to: present, toldAt: arrival)
            try transaction.raiseSequence(to: sequence)
            return plan.next
        }
    }

    /// There is no answer: what the server shows of the call later is this client's own.
    private func remember(_ arguments: Value.Members, from before: LocalObject) async throws {
        let key = synchronizer.environment.makeUUID()
        let arrival = synchronizer.nextSequence()
        try await synchronizer.store.write(.power, origin: .push) { transaction in
            guard let here = try transaction.object(at: transaction.alias(of: before.uri) ?? before.uri) else { return }
            let kept = ChangeEngine(resource).unansweredCall(
                action, arguments, from: before, over: here, arrival: arrival, key: key)
            guard kept != here else { return }
            try ObjectWriter(routeFile: routeFile, transaction: transaction).put(kept, over: here.uri)
            try transaction.raiseSequence(to: arrival)
        }
    }

    /// Calls it for no object of its own; nothing is stored.
    ///
    /// - Returns: the answer's body; nil where it is empty.
    func run() async throws -> Value? {
        guard !action.path.namesObject else {
            throw SyncError(
                code: .invalidRecord,
                message: "the action “\(action.name)” is for one object: write \(resource.name)/ID")
        }
        let (place, arguments) = try await synchronizer.store.read { snapshot in
            let arguments = try resolved(in: snapshot)
            var place = ObjectPlace()
            for parent in resource.parents {
                guard let id = arguments[parent.field].flatMap({ ObjectID($0) }) else { continue }
                let known = try snapshot.object(at: ObjectURI(entity: parent.entity, id: id.text))
                place.parents[parent.entity] = .init(id: id, known, of: routeFile.resource(parent.entity))
            }
            return (place, arguments)
        }
        let request = try client.actionRequest(action, resource, at: place, arguments: arguments)
        return try synchronizer.body(of: await reply(to: request, "\(action.name) \(resource.name)"), resource)
    }

    private func reply(
        to request: Request, _ what: String, about uri: ObjectURI? = nil
    ) async throws -> ResourceClient.Reply {
        var reply = try await synchronizer.reply(to: request, resource, about: uri)
        let leased = action.method == "GET" ? nil : uri
        if leased != nil { reply.isRefused = client.isRefused(reply, of: resource, underLease: true) }
        guard reply.isSuccess else {
            var missed: (MetaObject.Failure, ErrorRules.Treatment)?
            if let leased { missed = await LeaseKeeper(synchronizer).missed(leased, in: reply, of: resource) }
            let (failure, treatment) = missed ?? client.failure(in: reply, of: resource)
            throw SyncError(refused: failure, treatment, what, remedy: routeFile.signInRemedy)
        }
        return reply
    }

    private static func action(_ name: String, of resource: Resource, _ arguments: Value.Members) throws -> Action {
        guard let action = resource.actions.first(where: { $0.name == name }) else {
            let known = resource.actions.map(\.name).joined(separator: ", ")
            throw SyncError(
                code: .unknownName,
                message: "\(resource.name) has no action “\(name)”; "
                    + (known.isEmpty ? "none is declared" : "it has \(known)")
                    + (RouteVocabulary.actionVerbs.contains(name)
                        ? "; a method is written in capitals, with a path: \(name.uppercased()) \(resource.list.path)"
                        : ""))
        }
        guard let body = action.body else { return action }
        var known: [String] = []
        for name in action.arguments + action.query + body + action.path.ownFields.sorted()
        where !known.contains(name) { known.append(name) }
        let parents = resource.parentFields(in: action.path)
        for argument in arguments where !known.contains(argument.name) && !parents.contains(argument.name) {
            throw SyncError(
                code: .unknownName,
                message: "the action “\(name)” of \(resource.name) has no argument “\(argument.name)”; "
                    + (known.isEmpty ? "it takes none" : "it takes \(known.joined(separator: ", "))"))
        }
        return action
    }

    /// Arguments with the identifiers that the server knows.
    private func resolved(in snapshot: any StoreSnapshot) throws -> Value.Members {
        var arguments = arguments
        let waitsFor = try Edit(resource, routeFile, snapshot).resolve(&arguments)
        guard let first = waitsFor.first else { return arguments }
        throw SyncError(code: .wrongState, message: "\(first) is not on the server yet; push it first")
    }
}
