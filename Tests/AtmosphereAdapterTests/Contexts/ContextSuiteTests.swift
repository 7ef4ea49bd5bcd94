import Atmosphere
import AtmosphereTesting
import Testing

@Suite("the conformance suites of app contexts and meta contexts")
struct ContextSuiteTests {
    private static func suite(_ fault: MemoryModels.Fault? = nil, known: Set<String>? = nil) -> AppContextSuite {
        AppContextSuite(entity: "tasks") { id, variant in
            ObjectRecord(["id": .string(id), "title": .string("Title \(variant)"), "rest": .number(JSONNumber(variant))]
            )
        } makeLayer: {
            MemoryModels(fault, known: known)
        } reopen: { closed in
            MemoryModels(on: (closed as? MemoryModels)?.disk ?? MemoryModels.Disk(), known: known)
        }
    }

    @Test("a model layer that keeps all of a record passes", arguments: suite().checks.map(\.name))
    func whole(_ name: String) async throws {
        try await #require(Self.suite().checks.first { $0.name == name }).run()
    }

    @Test("a model layer that keeps a part of a record passes", arguments: suite().checks.map(\.name))
    func part(_ name: String) async throws {
        try await #require(Self.suite(known: ["title"]).checks.first { $0.name == name }).run()
    }

    @Test("a fault is caught by the check that is meant for it", arguments: MemoryModels.Fault.allCases)
    func catches(_ fault: MemoryModels.Fault) async throws {
        let checks = Self.suite(fault).checks.filter { $0.name.hasPrefix(fault.check) }
        try #require(checks.count == 1)
        await #expect(throws: (any Error).self) { try await checks[0].run() }
    }

    @Test(
        "the meta context of the store in memory passes",
        arguments: MetaContextSuite { MemoryStore() }.checks.map(\.name))
    func metaContext(_ name: String) async throws {
        try await #require(MetaContextSuite { MemoryStore() }.checks.first { $0.name == name }).run()
    }

    @Test(
        "a fault of a meta context is caught by a check of its suite",
        arguments: [
            (BrokenStore.Fault.forgetsTheWireType, "a meta object comes back"),
            (.ignoresThePage, "changed gives what is not synchronized"), (.leavesNoAlias, "a moved meta object"),
            (.followsOneAliasOnly, "a moved meta object"), (.lowersTheSequence, "the highest sequence")
        ])
    func catchesInMeta(_ fault: BrokenStore.Fault, _ start: String) async throws {
        let checks = MetaContextSuite { BrokenStore(fault) }.checks.filter { $0.name.hasPrefix(start) }
        try #require(checks.count == 1)
        await #expect(throws: (any Error).self) { try await checks[0].run() }
    }
}
