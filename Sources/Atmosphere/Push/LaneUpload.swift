internal import Synchronization

/// Sends the content that a lane's object has waiting.
struct LaneUpload: Sendable {
    let request: LaneRequest
    let sent: Attempt

    private var resource: Resource { request.resource }
    private var synchronizer: Synchronizer { request.synchronizer }
    private var client: ResourceClient { synchronizer.client }
    private var writer: AttachmentWriter { AttachmentWriter(synchronizer) }

    /// Sends it, and applies the answer in a transaction.
    func perform() async throws -> LaneMachine.Event {
        let uri = await request.lane.uri
        let reading = ContentReading()
        var ready: (sending: Sending, place: ObjectPlace, destination: Destination)
        do {
            let (sending, place, id) = try await prepare(uri, reading)
            let destination = try await writer.destination(sending, uri, place, id)
            ready = (sending, place, destination)
        } catch let error as SyncError {
            return try await notSent(error)
        } catch let error as StoreError {
            return try await request.settle(.rejected(.init(message: error.message)))
        }
        var url: ContentURL { ready.destination.url }
        let progress = writer.progress(of: ready.sending, uri)
        defer { progress.end() }
        let asked = synchronizer.environment.now()
        let answer: Result<ResourceClient.Reply, any Error>
        do {
            let (reply, place) = try await send(ready.sending, to: ready.destination, of: uri, progress)
            ready.destination.url = place
            answer = .success(reply)
        } catch {
            // What ended it here is no word of a network.
            answer = .failure(reading.failure ?? error)
        }
        if case .failure(let error) = answer {
            if let error = error as? StoreError {
                // Its length says that it was cut. What is damaged stays so.
                let failure = MetaObject.Failure(message: error.message)
                return try await request.settle(
                    error.code == .damaged ? .rejected(failure) : .failed(failure, mayHaveArrived: false))
            }
            if let error = error as? SyncError, [.unexpectedAnswer, .invalidRecord].contains(error.code) {
                // What the server names is no place for content.
                return try await request.settle(.rejected(.init(message: error.message)))
            }
            if !url.isUnderBase, let error = error as? TransportError {
                // That a storage cannot be reached is no word about the API.
                let result = Answer.failed(.init(message: error.message), mayHaveArrived: error.mayHaveArrived)
                guard !error.isFinal else { return try await request.settle(result, error) }
                return try await request.settle(result).failing(.network)
            }
        }
        if case .success(let reply) = answer {
            let isWebPage = url.isUnderBase && client.isWebPage(reply)
            if reply.isSuccess, !isWebPage {
                synchronizer.note(uri, "answered \(reply.status)")
                return try await request.settle(uploaded(reply, ready.sending, ready.destination))
            }
            if !url.isUnderBase {
                // It is no word about who is signed in to the API.
                let failure = client.failure(in: reply, of: nil).0
                let mayHaveArrived = reply.status == 408 || reply.status >= 500
                return try await request.settle(
                    reply.isPassing ? .failed(failure, mayHaveArrived: mayHaveArrived) : .rejected(failure)
                ).failing(.network)
            }
        }
        let exchange = LaneExchange(request: request, place: ready.place, sequence: sent.sequence, asked: asked)
        return try await exchange.conclude(answer)
    }

    private typealias Sending = AttachmentWriter.Sending
    private typealias Destination = AttachmentWriter.Destination

    /// Sends the content in one request, or in as many as it takes where it goes on after a cut.
    private func send(
        _ sending: Sending, to destination: Destination, of uri: ObjectURI, _ progress: ContentProgress
    ) async throws -> (ResourceClient.Reply, ContentURL) {
        let client = synchronizer.telling([uri])
        let (own, turn) = (self.resource, request.turn)
        guard sending.upload.resumable != nil else {
            let carrying = await writer.contentRequest(sending, to: destination, of: uri, progress)
            synchronizer.note(uri, "\(carrying.method) the content of “\(sending.member)”")
            let reply = try await client.sendMarked(carrying, to: destination.url, own, turn: turn)
            return (reply, destination.url)
        }
        let upload = await writer.resumable(sending, to: destination, of: uri, progress, keep: keep) {
            try await client.sendMarked($0, to: $1, own, turn: turn)
        }
        let begun = try await queued(of: uri)?.begun
        synchronizer.note(uri, "\(begun == nil ? "sends" : "goes on with") the content of “\(sending.member)”")
        return try await upload.perform(begun: begun)
    }

    private func queued(of uri: ObjectURI) async throws -> MetaObject.Upload? {
        try await synchronizer.store.read { snapshot in
            try snapshot.meta(at: snapshot.alias(of: uri) ?? uri)?.uploads.first { $0.id == sent.upload }
        }
    }

    /// Notes where the server takes the content, for a push that goes on with it.
    @Sendable private func keep(_ place: String) async throws {
        let uri = await request.lane.uri
        try await synchronizer.store.write(.power, origin: .push) { transaction in
            guard var object = try transaction.object(at: transaction.alias(of: uri) ?? uri),
                let index = object.meta.uploads.firstIndex(where: { $0.id == sent.upload })
            else { return }
            object.meta.uploads[index].begun = place
            try ObjectWriter(routeFile: synchronizer.routeFile, transaction: transaction).put(object, over: object.uri)
        }
    }

    private func prepare(
        _ uri: ObjectURI, _ reading: ContentReading
    ) async throws -> (sending: Sending, place: ObjectPlace, id: ObjectID?) {
        try await synchronizer.store.read { snapshot in
            let (_, object) = try snapshot.existing(uri)
            guard let upload = object.meta.uploads.first(where: { $0.id == sent.upload }),
                let contents = synchronizer.store.contentFolder
            else {
                throw SyncError(code: .wrongState, message: "the content of \(uri) is not here any more")
            }
            let (attachment, route) = try resource.uploadRoute(upload.member)
            let content = reading.watched(try contents.content(of: upload))
            let place = try ObjectPlace(object, resource: resource, routeFile: synchronizer.routeFile, in: snapshot)
            let sending = Sending(
                resource: resource, attachment: attachment, upload: route, member: upload.member, content: content)
            let id = place.id.map { ObjectID($0, object.meta.id.wireType) }
            return (try sending.named(at: place, id), place, id)
        }
    }

    private func uploaded(
        _ reply: ResourceClient.Reply, _ sending: Sending, _ destination: Destination
    ) throws -> Answer {
        do {
            return .uploaded(try writer.value(in: reply, sending, destination))
        } catch let error as SyncError {
            return .rejected(.init(message: error.message))
        }
    }

    /// Nothing of the content has left yet: its place could not be had, or no request be made.
    private func notSent(_ error: SyncError) async throws -> LaneMachine.Event {
        let failure = error.failure ?? .init(message: error.message)
        switch error.code {
        case .signInNeeded:
            _ = try await request.settle(.postponed(failure))
            return .unanswered(.signInNeeded(error.message))
        case .unreachable where error.cause is ResourceClient.AskedToWait:
            _ = try await request.settle(.postponed(failure))
            return .unanswered(.offline(error.message))
        case .unreachable:
            let cause = error.cause as? TransportError
            return try await request.settle(.failed(failure, mayHaveArrived: false), cause).failing(.network)
        default:
            if error.isBelowNothing { return try await request.settle(.gone(failure)) }
            let isGone = failure.status == 404 || failure.status == 410
            return try await request.settle(isGone ? .gone(failure, isCertain: false) : .rejected(failure))
        }
    }
}

/// Remembers what went wrong where content was read: a transport that reads it has an error of its own for that.
private final class ContentReading: Sendable {
    private let error = Mutex<StoreError?>(nil)

    var failure: StoreError? { error.withLock { $0 } }

    /// The same content, of which it remembers that.
    func watched(_ content: AttachmentContent) -> AttachmentContent {
        var watched = content
        watched.start = {
            let next: @Sendable () async throws -> [UInt8]?
            do { next = try await content.start() } catch { throw self.noted(error) }
            return {
                do { return try await next() } catch { throw self.noted(error) }
            }
        }
        return watched
    }

    private func noted(_ thrown: any Error) -> any Error {
        if let failure = thrown as? StoreError { error.withLock { $0 = failure } }
        return thrown
    }
}
