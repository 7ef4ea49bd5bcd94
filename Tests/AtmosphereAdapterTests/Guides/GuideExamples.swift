import Atmosphere
import AtmospherePlain
import AtmosphereTesting
import AtmosphereURLSession
import Foundation

// What the guides show; a test holds the two against each other.

// guide: closure
/// Reads comma-separated values whose first line names the columns.
let csv = ClosureExtractor(format: "csv", accept: "text/csv") { body in
    let lines = String(decoding: body, as: UTF8.self).split(separator: "\r\n").map { line in
        line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    guard let names = lines.first else { return [] }
    return .array(
        lines.dropFirst().map { values in
            .object(Value.Members(zip(names, values).map { .init(name: $0, value: .string($1)) }))
        })
}
// guide: end

// guide: extractor
/// JSON text sequences (RFC 7464): each record begins with the control character RS.
struct JSONSequenceExtractor: ResponseExtractor {
    var format: String { "json-seq" }
    var accept: String { "application/json-seq" }

    func page(in body: [UInt8], _ selectors: Selectors) throws -> Page {
        try JSONExtractor().page(in: array(body), selectors)
    }

    func value(in body: [UInt8], limits: JSONLimits) throws -> Value {
        try JSONExtractor().value(in: array(body), limits: limits)
    }

    /// The records as one JSON array: bytes, no values.
    private func array(_ body: [UInt8]) throws -> [UInt8] {
        guard body.first == 0x1E, body.count > 1 else {
            throw ExtractionError(
                code: .malformed,
                message: "byte 0: a JSON text sequence begins with RS and a text; check `format`, or the URL")
        }
        return [UInt8(ascii: "[")] + Array(body.dropFirst().map { $0 == 0x1E ? UInt8(ascii: ",") : $0 })
            + [UInt8(ascii: "]")]
    }
}
// guide: end

// guide: suite
let sequences = ResponseExtractorSuite(extractor: JSONSequenceExtractor(), shape: .bareList) { value in
    (value.array ?? []).flatMap { [0x1E] + $0.json() }
}
// guide: end

// guide: style
/// The conventions of our own services: `/v2/tasks`, `data`, `meta.after`.
struct HouseStyle: RoutingStyle {
    var name: String { "house" }

    var document: String {
        """
        {
            "list": { "path": "/v2/{path}" },
            "read": { "path": "/v2/{path}/{id}" },
            "create": { "path": "/v2/{path}" },
            "update": { "method": "PATCH", "path": "/v2/{path}/{id}", "body": "changed" },
            "delete": { "path": "/v2/{path}/{id}" },
            "items": "$.data",
            "root": { "write": "{singular}" },
            "pages": { "kind": "token", "next": "$.meta.after", "parameter": "after" },
            "version": { "header": "ETag", "send": "if-match" },
            "errors": { "fields": "$.errors", "messages": "$.message" }
        }
        """
    }

    func singular(_ name: String) -> String { name.hasSuffix("s") ? String(name.dropLast()) : name }
}

extension Adapter {
    static var house: Adapter { .style(HouseStyle()) }
}
// guide: end

// guide: writer
/// Forms as Spring binds them: `title=Milk&place.street=Main&tags=a&tags=b`.
struct DottedFormWriter: BodyWriter {
    var coding: String { "dotted-form" }
    var contentType: String { "application/x-www-form-urlencoded" }

    func body(of value: Value, _ layout: BodyLayout) throws -> [UInt8] {
        guard let members = value.members else {
            throw SyncError(code: .invalidRecord, message: "a form holds names and values, so its body is an object")
        }
        let pairs = try pairs(of: members, below: layout.root.map { [$0] } ?? [])
        return Array(pairs.joined(separator: "&").utf8)
    }

    private func pairs(of members: Value.Members, below names: [String]) throws -> [String] {
        try members.flatMap { member in
            // The server would take it for two names.
            guard !member.name.contains(".") else {
                throw SyncError(
                    code: .invalidRecord, message: "“\(member.name)” has a dot, which leads into another object here")
            }
            let path = names + [member.name]
            switch member.value {
            case .object(let inner): return try pairs(of: inner, below: path)
            case .array(let elements): return try elements.map { try pair(path, $0) }
            case .null, .bool, .number, .string: return [try pair(path, member.value)]
            }
        }
    }

    private func pair(_ names: [String], _ value: Value) throws -> String {
        guard value.members == nil, value.array == nil else {
            throw SyncError(
                code: .invalidRecord, message: "“\(names.joined(separator: "."))” is a list of more than texts")
        }
        return escaped(names.joined(separator: ".")) + "=" + escaped(value.isNull ? "" : value.text)
    }

    private func escaped(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            result += isPlain || byte == UInt8(ascii: ".") ? String(scalar) : "%" + hex(byte)
        }
    }

    private func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
}

extension Adapter {
    static var dottedForm: Adapter { .writer(DottedFormWriter()) }
}
// guide: end

// guide: writer suite
let dottedForms = BodyWriterSuite(
    writer: DottedFormWriter(), cannotHold: [.null, .types, .emptyContainers, .nestedLists]
) { body, layout in
    struct Unreadable: Error {}
    var form: Value = [:]
    for pair in String(decoding: body, as: UTF8.self).split(separator: "&") {
        let texts = pair.split(separator: "=", omittingEmptySubsequences: false).map { $0.removingPercentEncoding }
        guard texts.count == 2, let name = texts[0], let text = texts[1] else { throw Unreadable() }
        form = reading(text, at: name.split(separator: "."), into: form)
    }
    guard let root = layout.root else { return form }
    guard let inside = form.members?[root], form.members?.count == 1 else { throw Unreadable() }
    return inside
}

/// As a server binds it; of these bodies `tags` is a list.
func reading(_ text: String, at names: [Substring], into value: Value) -> Value {
    guard let name = names.first.map(String.init) else { return .string(text) }
    var members = value.members ?? [:]
    if name == "tags" {
        members[name] = .array((members[name]?.array ?? []) + [.string(text)])
    } else {
        members[name] = reading(text, at: Array(names.dropFirst()), into: members[name] ?? [:])
    }
    return .object(members)
}
// guide: end

// What the guides show of "Writing a store", "Writing a transport" and AtmosphereTesting, inside of other code.

/// A connection to a database, whose calls wait for answers.
protocol BlockingConnection: Sendable {
    func read<Result>(_ body: (any StoreSnapshot) throws -> Result) throws -> Result
    func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result
}

final class ServerStore: Sendable {
    /// Used on the queue alone.
    private let connection: any BlockingConnection
    private let queue = BlockingQueue(label: "ServerStore")
    private let gate = WriteGate()

    init(_ connection: any BlockingConnection) { self.connection = connection }

    func read<Result: Sendable>(
        _ body: @Sendable (any StoreSnapshot) throws -> Result
    ) async throws -> Result {
        try await queue.run { [connection] in try connection.read(body) }
    }

    func write<Result: Sendable>(
        _ durability: Durability, origin: CommitSet.Origin,
        _ body: @Sendable (any StoreTransaction) throws -> Result
    ) async throws -> Result {
        try await gate.enter(durability)
        defer { gate.leave() }
        return try await queue.run { [connection] in try connection.write(body) }
    }
}

func checkAStore() async throws {
    let suite = StoreSuite { MemoryStore() }
    for check in suite.checks { try await check.run() }
}

/// - Parameter text: a route file with the transport `scripted` and the store `memory`.
func runRoundsOnAClock(_ text: String) async throws {
    let clock = ManualClock()
    let transport = ScriptedTransport()
    let adapters: [Adapter] = [.plain, .memory, .transport("scripted") { _ in transport }]
    let routeFile = try RouteFile.load(bytes: Array(text.utf8), source: "tasks.json", adapters: adapters)
    let api = try await Synchronizer.open(routeFile, adapters: adapters, environment: clock.environment())
    transport.expect("GET", "/tasks", .json("[]"), times: 2)
    let running = Task { try await api.run(.init(interval: .seconds(60))) }
    await clock.waitForSleep()
    clock.advance(by: .seconds(60))
    await clock.waitForSleep()
    try transport.check()
    running.cancel()
    _ = await running.result
    try await api.close()
}

func wrapATransport() -> any Transport {
    let metrics = TransportMetrics()
    let network = URLSessionTransport().switchable()  // network.isOffline = true
    let transport = network.observed { print($0) }.measured(by: metrics)
    return transport
}
