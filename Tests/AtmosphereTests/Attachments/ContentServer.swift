import AtmosphereTesting
import Synchronization

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

/// A tiny server whose tasks take contents: `PUT tasks/ID/scan` sets the member `scan`, `POST tasks/ID/files` adds one more to
/// `files`, and `POST uploads/` answers with a token, which an edit brings into `photo`.
final class ContentServer: Sendable {
    /// What happens to one request that carries content.
    enum Fault: Sendable {
        case refuse(Int)
        /// Done, and not answered.
        case loseAnswer
        case loseRequest
        /// Done, and answered so.
        case reply(Value.Members)
    }

    let tiny = TinyServer()
    private let contents = Mutex<[(path: String, text: String)]>([])
    private let mediaTypes = Mutex<[String]>([])
    private let faults = Mutex<[Fault]>([])
    /// What is done before a request that carries content is answered.
    let beforeAnswer = Mutex<(@Sendable () async throws -> Void)?>(nil)

    /// What was received, in order, as `METHOD path body`.
    var received: [String] { contents.withLock { $0.map { "\($0.path) \($0.text)" } } }

    /// The media type of each.
    var types: [String] { mediaTypes.withLock { $0 } }

    func fail(_ fault: Fault) { faults.withLock { $0.append(fault) } }
    func forgetFaults() { faults.withLock { $0 = [] } }

    var transport: ScriptedTransport {
        ScriptedTransport { request in
            let target = String(request.url.dropFirst("https://tiny.example/api/".count))
            let parts = target.split(separator: "/").map(String.init)
            guard target.hasPrefix("uploads/") || parts.count == 3 && ["scan", "files"].contains(parts[2]) else {
                return try await self.tiny.transport.send(request)
            }
            return try await self.take(request, parts, target)
        }
    }

    private func take(_ request: Request, _ parts: [String], _ target: String) async throws -> Response {
        let fault = faults.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if tiny.state.withLock({ $0.isOffline }) {
            throw TransportError(code: .cannotConnect, message: "no route to tiny.example", mayHaveArrived: false)
        }
        switch fault {
        case .refuse(let status):
            let body: Value = ["detail": "Too large."]
            return Response(
                status: status, headers: ["Content-Type": "application/json"], body: ResponseBody(body.json()))
        case .loseRequest:
            throw TransportError(code: .connectionLost, message: "connection lost", mayHaveArrived: true)
        case .loseAnswer, .reply, nil: break
        }
        var whole: [UInt8] = []
        if case .stream(_, let start) = request.body {
            let next = try await start()
            while let chunk = try await next() { whole += chunk }
        }
        let text = String(decoding: whole, as: UTF8.self)
        contents.withLock { $0.append(("\(request.method) \(target)", text)) }
        mediaTypes.withLock { $0.append(request.headers["Content-Type"] ?? "") }
        var answer: Value.Members = [:]
        if parts.count == 3, let id = Int(parts[1]) {
            guard tiny.rows("tasks").contains(where: { $0["id"] == .number(JSONNumber(id)) }) else {
                return Response(status: 404)
            }
            let count = contents.withLock { $0.count { $0.path == "\(request.method) \(target)" } }
            tiny.edit("tasks", id, [parts[2]: .string("\(count)")])
        } else {
            answer["token"] = .string("token of \(text)")
        }
        if case .reply(let members) = fault { answer = members }
        if case .loseAnswer = fault {
            throw TransportError(code: .connectionLost, message: "connection lost", mayHaveArrived: true)
        }
        if let wait = beforeAnswer.withLock({ $0 }) { try await wait() }
        return Response(
            status: 200, headers: ["Content-Type": "application/json"],
            body: ResponseBody(Value.object(answer).json()))
    }

    /// A client of the server.
    func client(_ store: any Store = MemoryStore(), _ change: (inout Resource) -> Void = { _ in }) async throws
        -> Synchronizer
    {
        let routeFile = try TinyWorld.routeFile { tasks in
            var scan = Attachment(name: "scan")
            scan.upload = .init()
            scan.upload?.path = try! PathTemplate("tasks/{id}/scan")
            var files = Attachment(name: "files")
            files.upload = .init()
            files.upload?.path = try! PathTemplate("tasks/{id}/files")
            files.upload?.method = "POST"
            files.upload?.part = nil
            var photo = Attachment(name: "photo")
            photo.upload = .init()
            photo.upload?.path = try! PathTemplate("uploads/")
            photo.upload?.method = "POST"
            photo.upload?.value = .member("token")
            tasks.attachments = [scan, files, photo]
            change(&tasks)
        }
        return try await Synchronizer(
            routeFile: routeFile, store: store, transport: transport, style: TinyWorld.TinyStyle(),
            environment: TinyWorld.environment())
    }
}
