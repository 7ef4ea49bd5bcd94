import Atmosphere
import AtmosphereJSONFile
import AtmospherePlain
import AtmosphereSQLite
import Foundation
import Synchronization
import Testing

/// The stores of `Fixtures/Stores-41bb2bf`, closed and as a killed process has left them.
enum OldStore: String, CaseIterable, CustomTestStringConvertible {
    case jsonFile, jsonFileKilled
    #if SQLite
        case sqlite, sqliteKilled
    #endif

    var testDescription: String { rawValue }

    static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/Stores-41bb2bf")

    var isKilled: Bool {
        switch self {
        case .jsonFile: false
        case .jsonFileKilled: true
        #if SQLite
            case .sqlite: false
            case .sqliteKilled: true
        #endif
        }
    }

    var folderName: String {
        switch self {
        case .jsonFile, .jsonFileKilled: "jsonfile"
        #if SQLite
            case .sqlite, .sqliteKilled: "sqlite"
        #endif
        }
    }

    /// The store's name in its folder.
    var storeName: String {
        switch self {
        case .jsonFile, .jsonFileKilled: "stores.store"
        #if SQLite
            case .sqlite, .sqliteKilled: "stores.sqlite"
        #endif
        }
    }

    /// What a killed process has left, as a path in the fixture and one in its copy.
    var left: (from: String, to: String) {
        switch self {
        case .jsonFile, .jsonFileKilled: ("killed/journal.jsonl", "stores.store/journal.jsonl")
        #if SQLite
            case .sqlite, .sqliteKilled: ("killed/stores.sqlite-wal", "stores.sqlite-wal")
        #endif
        }
    }

    func open(_ path: String) throws -> any Store {
        switch self {
        case .jsonFile, .jsonFileKilled: try JSONFileStore(path: path)
        #if SQLite
            case .sqlite, .sqliteKilled: try SQLiteStore(path: path)
        #endif
        }
    }
}

/// A copy of an old store, opened, with the server that it belongs to.
struct OldWorld: Sendable {
    let server: OldServer
    let api: Synchronizer
    let folder: TemporaryFolder
    private let kind: OldStore
    /// Where each object was when the store was closed, by `ENTITY: TITLE`.
    let objects: [String: ObjectURI]
    private let saved: Value.Members
    private let clock: Clock

    /// - Parameter change: what another route file says.
    init(_ kind: OldStore, _ change: (inout RouteFile) -> Void = { _ in }) async throws {
        self.kind = kind
        let files = FileManager.default
        let fixture = OldStore.fixtures.appending(path: kind.folderName)
        folder = try TemporaryFolder()
        for name in [kind.storeName, kind.storeName + ".contents"] {
            try files.copyItem(atPath: fixture.appending(path: name).path, toPath: folder.file(name))
        }
        if kind.isKilled {
            let place = folder.file(kind.left.to)
            if files.fileExists(atPath: place) { try files.removeItem(atPath: place) }
            try files.copyItem(atPath: fixture.appending(path: kind.left.from).path, toPath: place)
        }
        let text = Array(try Data(contentsOf: fixture.appending(path: "server.json")))
        saved = try #require(try Value(json: text).members)
        server = OldServer(saved)
        var objects: [String: ObjectURI] = [:]
        for object in try #require(saved["objects"]?.members) {
            let uri = try #require(ObjectURI(object.value.text))
            objects[object.name] = uri
        }
        self.objects = objects
        // An hour later nothing waits for its time any more.
        let closed = try #require(saved["at"]?.number?.int64)
        clock = Clock(Timestamp(milliseconds: closed).advanced(by: .seconds(3600)))
        let routes = Array(try Data(contentsOf: OldStore.fixtures.appending(path: "stores.json")))
        var routeFile = try RouteFile.load(bytes: routes, source: "stores.json", adapters: [.plain])
        change(&routeFile)
        api = try await Synchronizer(
            routeFile: routeFile, store: kind.open(folder.file(kind.storeName)), transport: server.transport,
            style: PlainStyle(),
            environment: clock.environment)
    }

    func uri(_ name: String) throws -> ObjectURI { try #require(objects[name], "there is no \(name)") }

    /// The identifier of what the server had under a `uuid` when the store was closed.
    func begun(_ entity: String, _ uuid: String) throws -> String {
        let rows = try #require(saved["rows"]?.members?[entity]?.array).compactMap(\.members)
        return try #require(rows.first { $0["uuid"] == .string(uuid) }?["id"]?.text)
    }

    func object(_ name: String) async throws -> LocalObject? { try await api.object(at: uri(name)) }

    /// How everything stands that is not synchronized, by `ENTITY: TITLE`.
    func standing() async throws -> [String: String] {
        let names = Dictionary(uniqueKeysWithValues: objects.map { ($0.value, $0.key) })
        var standing: [String: String] = [:]
        for object in try await api.pending() {
            let uploads = object.meta.uploads.map { "\($0.member) \(object.meta.status(of: $0).uploadWord)" }
            // That of a change which is an upload alone says the same.
            standing[names[object.uri] ?? object.uri.description] = ([object.status.word] + uploads)
                .joined(separator: ", ")
        }
        return standing
    }

    /// Pushes and pulls, and lets time go by, until all that can be done by itself is done.
    func rest() async throws {
        for _ in 0..<4 {
            let report = try await api.synchronize()
            #expect(report.push.unreachable == nil && report.push.notOffered == [])
            #expect(report.pull?.isComplete == true, "\(String(describing: report.pull))")
            clock.pass(.seconds(3600))
        }
    }

    /// The names of the contents that are kept to be uploaded.
    var contents: [String] { folder.names(in: kind.storeName + ".contents").filter { $0 != ".lock" } }

    /// Time moves only when somebody sleeps, or lets it pass.
    private final class Clock: Sendable {
        private let now: Mutex<Timestamp>
        private let count = Mutex(0)

        init(_ now: Timestamp) { self.now = Mutex(now) }

        func pass(_ time: Duration) { now.withLock { $0 = $0.advanced(by: time) } }

        var environment: SyncEnvironment {
            SyncEnvironment(
                now: { self.now.withLock { $0 } },
                sleep: { until in
                    try Task.checkCancellation()
                    self.now.withLock { $0 = max($0, until) }
                },
                makeUUID: {
                    let count = self.count.withLock { count in
                        count += 1
                        return String(count)
                    }
                    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - count.count) + count
                },
                random: { 0.5 })
        }
    }
}

extension ObjectStatus {
    /// What waits, and how it stands.
    fileprivate var word: String {
        let verb = change?.rawValue ?? ""
        switch self {
        case .synchronized: return "synchronized"
        case .waiting(_, .push): return "\(verb) waits"
        case .waiting(_, .parents): return "\(verb) waits for its parents"
        case .waiting(_, .retry): return "\(verb) failed"
        case .sending: return "\(verb) is sent"
        case .conflicted: return "\(verb) conflicted"
        case .rejected: return "\(verb) rejected"
        case .unknown: return "\(verb) unknown"
        }
    }
}

extension ObjectStatus {
    /// Of content that waits to be uploaded.
    fileprivate var uploadWord: String {
        switch self {
        case .waiting(_, .retry): "failed"
        case .synchronized, .waiting, .conflicted: "waits"
        case .sending: "is sent"
        case .rejected: "rejected"
        case .unknown: "unknown"
        }
    }
}
