import Atmosphere
import AtmospherePlain
import AtmosphereTesting
import AtmosphereURLSession

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

// What the guides show of "Writing a transport" and AtmosphereTesting, inside of functions.

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
