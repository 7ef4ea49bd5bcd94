import Atmosphere
import AtmosphereJSONFile
import AtmosphereSQLite
import AtmosphereTesting
import Testing

/// The stores of this package, by the suite that every store runs.
enum TestedStore: String, CaseIterable, CustomTestStringConvertible {
    case memory, jsonFile
    #if SQLite
        case sqlite
    #endif

    var testDescription: String { rawValue }

    func suite(in folder: TemporaryFolder?) -> StoreSuite {
        let path = folder?.file("store") ?? ""
        switch self {
        case .memory: return StoreSuite { MemoryStore() }
        case .jsonFile:
            return StoreSuite {
                try JSONFileStore(path: path)
            } reopen: { _ in
                try JSONFileStore(path: path)
            }
        #if SQLite
            case .sqlite:
                return StoreSuite {
                    try SQLiteStore(path: path)
                } reopen: { _ in
                    try SQLiteStore(path: path)
                }
        #endif
        }
    }

    var checkNames: [String] { suite(in: nil).checks.map(\.name) }
}

@Suite("every store keeps every promise of the store protocols")
struct StoreConformanceTests {
    @Test("memory", arguments: TestedStore.memory.checkNames)
    func memory(_ name: String) async throws { try await run(name, on: .memory) }

    @Test("JSON file", arguments: TestedStore.jsonFile.checkNames)
    func jsonFile(_ name: String) async throws { try await run(name, on: .jsonFile) }

    #if SQLite
        @Test("SQLite", arguments: TestedStore.sqlite.checkNames)
        func sqlite(_ name: String) async throws { try await run(name, on: .sqlite) }
    #endif

    private func run(_ name: String, on store: TestedStore) async throws {
        let folder = try TemporaryFolder()
        let check = try #require(store.suite(in: folder).checks.first { $0.name == name })
        try await check.run()
    }

    @Test("the checks have names of their own")
    func names() {
        for store in TestedStore.allCases { #expect(Set(store.checkNames).count == store.checkNames.count) }
    }
}
