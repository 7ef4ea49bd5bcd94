import Atmosphere
import AtmosphereCloudKit
import AtmosphereDjangoREST
import AtmosphereGoogleTasks
import AtmosphereJSONAPI
import AtmospherePlain
import AtmosphereRails
import AtmosphereTesting
import Synchronization
import Testing

@Suite("every style keeps every promise of RoutingStyle")
struct StyleConformanceTests {
    static let styles: [any RoutingStyle] = [
        PlainStyle(), DjangoRESTStyle(), GoogleTasksStyle(), RailsStyle(), JSONAPIStyle(), CloudKitStyle.queries,
        CloudKitStyle.changes
    ]

    struct Case: Sendable, CustomTestStringConvertible {
        var style: String
        var check: ConformanceCheck
        var testDescription: String { "\(style): \(check.name)" }
    }

    static let cases = styles.flatMap { style in
        RoutingStyleSuite(style: style).checks.map { Case(style: style.name, check: $0) }
    }

    @Test("keeps", arguments: cases)
    func keeps(_ tested: Case) async throws { try await tested.check.run() }

    @Test("the checks have names of their own")
    func names() {
        let names = RoutingStyleSuite(style: PlainStyle()).checks.map(\.name)
        #expect(Set(names).count == names.count && names.count > 12)
    }
}

/// As PostgREST has it: one path, and objects named in the query by whatever their identifier is called.
struct QueryStyle: RoutingStyle {
    /// How the parameter is written that names an object.
    var parameter = #""{id-field}": "eq.{id}""#

    var name: String { "postgrest" }

    var document: String {
        """
        {
            "list": { "path": "/{path}", "query": { "order": "{id-field}" } },
            "read": { "path": "/{path}", "query": { \(parameter) }, "item": "[0]" },
            "create": { "path": "/{path}", "headers": { "Prefer": "return=representation" }, "item": "[0]" },
            "update": { "method": "PATCH", "path": "/{path}", "query": { \(parameter) }, "body": "changed" },
            "delete": { "path": "/{path}", "query": { \(parameter) } },
            "pages": { "kind": "offset", "parameter": "offset", "size": { "parameter": "limit", "value": 100 } }
        }
        """
    }
}

@Suite("a style that names objects in the query")
struct QueryStyleTests {
    @Test("keeps every promise of a style", arguments: [#""{id-field}": "eq.{id}""#, #""id": "eq.{id}""#])
    func keeps(_ parameter: String) async throws {
        for check in RoutingStyleSuite(style: QueryStyle(parameter: parameter)).checks { try await check.run() }
    }

    @Test(
        "{id-field} is what a resource calls the identifier’s member, as a value and as the name of a parameter",
        arguments: [
            ("{}", "id"), (#"{ "id": "number" }"#, "number"), (#"{ "id": { "field": "number" } }"#, "number"),
            (#"{ "id": "$.key" }"#, "key")
        ])
    func field(_ resource: String, _ name: String) throws {
        let text = """
            { "atmosphere": 1, "style": "postgrest", "base": "https://api.example", "resources": { "tasks": \(resource) } }
            """
        let file = try RouteFile.load(
            bytes: Array(text.utf8), source: "routes.json", adapters: [.style(QueryStyle())])
        let tasks = try #require(file.resource("tasks"))
        for operation in [tasks.read, tasks.update, tasks.delete] {
            #expect(operation.query == [NamedText(name: name, value: "eq.{id}")])
        }
        #expect(tasks.list.query == [NamedText(name: "order", value: name)])
    }

    @Test("what the file says for every resource counts as well")
    func defaults() throws {
        let text = """
            { "atmosphere": 1, "style": "postgrest", "base": "https://api.example", "id": "number", "resources": { "tasks": {} } }
            """
        let file = try RouteFile.load(
            bytes: Array(text.utf8), source: "routes.json", adapters: [.style(QueryStyle())])
        #expect(file.resource("tasks")?.read.query.first?.name == "number")
    }
}

@Suite("the conformance suite of styles catches broken styles")
struct StyleSuiteSelfTests {
    @Test("a fault fails the check that is meant for it", arguments: BrokenStyle.Fault.allCases)
    func catches(_ fault: BrokenStyle.Fault) async throws {
        let suite = RoutingStyleSuite(style: BrokenStyle(fault))
        let check = try #require(suite.checks.first { $0.name.hasPrefix(fault.check) }, "\(fault.check)")
        await #expect(throws: ConformanceFailure.self) { try await check.run() }
    }

    @Test("without a fault nothing fails")
    func whole() async throws {
        for check in RoutingStyleSuite(style: BrokenStyle(nil)).checks { try await check.run() }
    }
}

/// A style with one fault, which the suite must find.
struct BrokenStyle: RoutingStyle {
    enum Fault: String, CaseIterable, CustomTestStringConvertible {
        case hasANameWithSpaces, isNoJSON, saysSomethingElse, hasUnknownKeys, saysNothing, forgetsAPlace, forgetsTheID
        case hasOnePlaceForAll, ignoresThePath, hasNoSingular, sendsElsewhere, dropsHeaders, dropsBodies, repeats
        case sendsNothing, dropsTheQuery, dropsAccept, forgetsTheIDInTheQuery

        var testDescription: String { rawValue }

        /// How the name of the check begins that must fail.
        var check: String {
            switch self {
            case .hasANameWithSpaces: "the name can stand"
            case .isNoJSON, .saysSomethingElse: "the document is one JSON object"
            case .hasUnknownKeys: "a route file that says no more"
            case .saysNothing: "the style's settings are shown"
            case .forgetsAPlace: "every place of the style"
            case .forgetsTheID, .forgetsTheIDInTheQuery: "one object is addressed"
            case .hasOnePlaceForAll: "resources of other names"
            case .ignoresThePath: "a resource's own path"
            case .hasNoSingular: "singular and plural"
            case .sendsElsewhere: "rewriting a request leaves it"
            case .dropsHeaders, .dropsBodies: "rewriting a request keeps its body"
            case .dropsTheQuery, .dropsAccept: "rewriting a request keeps its query"
            case .repeats: "rewriting a request never"
            case .sendsNothing: "a create is sent"
            }
        }
    }

    private let fault: Fault?
    private let calls = Counter()

    init(_ fault: Fault?) { self.fault = fault }

    private final class Counter: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock {
                $0 += 1
                return $0
            }
        }
    }

    var name: String { fault == .hasANameWithSpaces ? "my style" : "broken" }

    var document: String {
        let path = fault == .ignoresThePath ? "{name}" : fault == .hasOnePlaceForAll ? "all" : "{path}"
        switch fault {
        case .isNoJSON: return "list: { path: tasks }"
        case .saysNothing: return "{}"
        case .hasUnknownKeys: return #"{ "lists": { "path": "/{path}" } }"#
        default: break
        }
        let more = fault == .saysSomethingElse ? #", "query": { "n": "\#(calls.next())" }"# : ""
        if fault == .forgetsTheIDInTheQuery { return QueryStyle(parameter: #""id": "eq.id""#).document }
        let object = fault == .forgetsTheID ? "/the-one" : "/{id}"
        let body = fault == .sendsNothing ? #", "body": "none""# : ""
        let query = fault == .forgetsAPlace ? #", "query": { "in": "{{path}}" }"# : ""
        return """
            {
                "list": { "path": "/\(path)"\(query) }, "read": { "path": "/\(path)\(object)" },
                "create": { "path": "/\(path)"\(body) }, "update": { "path": "/\(path)\(object)" },
                "delete": { "path": "/\(path)\(object)" }\(more)
            }
            """
    }

    func singular(_ name: String) -> String { fault == .hasNoSingular ? "" : name }

    func rewrite(_ request: inout Request) {
        switch fault {
        case .sendsElsewhere: request.url = "https://elsewhere.example/tasks"
        case .dropsHeaders: request.headers = [:]
        case .dropsBodies: request.body = .none
        case .dropsTheQuery: request.url = String(request.url.prefix { $0 != "?" })
        case .dropsAccept: request.headers["Accept"] = nil
        case .repeats: request.mayRepeat = true
        default: break
        }
    }
}
