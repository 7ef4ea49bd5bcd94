import Atmosphere
import AtmosphereJSONFile
import AtmosphereSQLite
import Testing

@Suite("identifiers that are canonically equivalent")
struct EquivalentIdentifierTests {
    /// One store of each kind.
    private func stores(in folder: TemporaryFolder) throws -> [any Store] {
        let stores: [any Store] = try [MemoryStore(), JSONFileStore(path: folder.file("data"))]
        #if SQLite
            return try stores + [SQLiteStore(path: folder.file("data.db"))]
        #else
            return stores
        #endif
    }

    @Test("a store keeps both objects, and a commit of both says that any may have changed")
    func commits() async throws {
        let folder = try TemporaryFolder()
        for store in try stores(in: folder) {
            var commits = store.commits().makeAsyncIterator()
            let uris = ["caf\u{E9}", "cafe\u{301}"].map { ObjectURI(entity: "tasks", id: $0) }
            try await store.write(.process, origin: .application) { transaction in
                for uri in uris { try transaction.upsert([(uri, ObjectRecord(["v": .string(uri.id)]))]) }
            }
            #expect(await commits.next() == CommitSet(origin: .application, objects: ["tasks": []]))
            for uri in uris {
                let record = try await store.read { try $0.record(at: uri) }
                #expect(record?["v"] == .string(uri.id))
            }
            try await store.close()
        }
    }
}
