import AtmosphereTesting

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

/// A client of a server that answers whatever it likes, over a store that outlives the client.
struct HostileWorld {
    static let base = "https://api.example.com/v1"

    /// Ways to list objects, by a number.
    static func tasks(_ way: Int) throws -> Resource {
        var create = Atmosphere.Operation(method: "POST", path: try PathTemplate("tasks"))
        create.body = .whole
        var update = Atmosphere.Operation(method: "PATCH", path: try PathTemplate("tasks/{id}"))
        update.body = .changed
        var tasks = Resource(
            name: "tasks", list: Atmosphere.Operation(method: "GET", path: try PathTemplate("tasks")),
            read: Atmosphere.Operation(method: "GET", path: try PathTemplate("tasks/{id}")), create: create,
            update: update, delete: Atmosphere.Operation(method: "DELETE", path: try PathTemplate("tasks/{id}")))
        tasks.items = .member("results")
        tasks.deletes.byAbsence = way % 2 == 0
        var since = Since(parameter: "since", origin: way % 3 == 0 ? .body(.member("changes")) : .field(.member("rev")))
        since.takesLastPage = way % 3 == 0
        switch way % 5 {
        case 1: since.format = try TimeFormat("milliseconds")
        case 2: since.format = try TimeFormat("yyyy-MM-dd'T'HH:mm:ss.SSSSSS")
        case 3: since.origin = .responseDate
        default: break
        }
        tasks.since = since
        let size = Paging.Size(parameter: "limit", value: 2)
        switch way % 10 {
        case 0: tasks.paging = .number(parameter: "page", first: 1, size: size, total: .member("total"))
        case 1: tasks.paging = .number(parameter: "page", first: 0, size: nil, total: .pages(.header("X-Total")))
        case 2: tasks.paging = .number(parameter: "page", first: 1_000_000, size: nil, total: .pages(.member("total")))
        case 3: tasks.paging = .offset(parameter: "offset", size: size, total: .member("total"))
        case 4: tasks.paging = .offset(parameter: "offset", size: size, total: .items(.header("X-Total")))
        case 5: tasks.paging = .bodyLink(next: .member("next"), size: size)
        case 6: tasks.paging = .headerLink(name: "Link", size: nil)
        case 7: tasks.paging = .token(next: .member("next"), parameter: "cursor", size: size)
        case 8: tasks.paging = .token(next: .header("X-Next"), parameter: "cursor", size: nil)
        default: break
        }
        if way % 4 == 1 { tasks.more = .body(.member("more")) }
        tasks.version = way % 7 == 0 ? .ifMatch(.header("ETag"), ordered: false) : tasks.version
        return tasks
    }

    let store = MemoryStore()

    func client(
        _ tasks: Resource, _ answer: @escaping @Sendable (Request) throws -> Response
    ) async throws -> Synchronizer {
        var limits = Limits()
        limits.pages = 6
        limits.body = 1 << 20
        limits.attempts = 2
        let routeFile = RouteFile(
            name: "hostile", source: "hostile.json", style: "tiny", base: Self.base, store: StoreSettings(),
            transport: TransportSettings(), auth: .none, identity: nil, secrets: SecretSettings(), limits: limits,
            resources: [tasks], settings: [])
        return try await Synchronizer(
            routeFile: routeFile, store: store, transport: ScriptedTransport { try answer($0) },
            style: TinyWorld.TinyStyle(), environment: TinyWorld.environment())
    }
}
