public import Atmosphere

/// What the ``AppContext`` of a ``ModelLayer`` must do: checks for what the protocols promise.
///
/// ```swift
/// let suite = AppContextSuite(entity: "tasks") { id, variant in
///     ObjectRecord(["id": .string(id), "title": .string("Title \(variant)"), "done": .bool(variant % 2 == 0)])
/// } inFolder: { folder in
///     try MyModels(path: folder + "/my.db")
/// }
/// ```
///
/// A context may know a part of each record. What it gives back is compared member by member; a member that it leaves out
/// is one that it does not know.
public struct AppContextSuite: Sendable {
    let entity: String
    let makeRecord: @Sendable (_ id: String, _ variant: Int) -> ObjectRecord
    let makeLayer: @Sendable () async throws -> any ModelLayer
    private var hasFolders = false
    let reopen: (@Sendable (any ModelLayer) async throws -> any ModelLayer)?

    /// A suite for a model layer that needs no folder.
    ///
    /// - Parameters:
    ///   - entity: one that the model layer holds.
    ///   - makeRecord: a record that the model layer takes; variants 1 to 3 differ in a member that it knows.
    ///   - makeLayer: makes one without objects, which shares nothing with those it made before.
    ///   - reopen: opens anew what a closed one had kept; nil for one that keeps nothing.
    public init(
        entity: String, makeRecord: @escaping @Sendable (_ id: String, _ variant: Int) -> ObjectRecord,
        makeLayer: @escaping @Sendable () async throws -> any ModelLayer,
        reopen: (@Sendable (_ closed: any ModelLayer) async throws -> any ModelLayer)? = nil
    ) {
        self.entity = entity
        self.makeRecord = makeRecord
        self.makeLayer = makeLayer
        self.reopen = reopen
    }

    /// For a model layer in files: each check gets an empty folder of its own, which is removed after it.
    ///
    /// - Parameters:
    ///   - entity: one that the model layer holds.
    ///   - makeRecord: a record that the model layer takes; variants 1 to 3 differ in a member that it knows.
    ///   - open: opens one in the folder: without objects, or with what a closed one had kept there.
    public init(
        entity: String, makeRecord: @escaping @Sendable (_ id: String, _ variant: Int) -> ObjectRecord,
        inFolder open: @escaping @Sendable (_ folder: String) async throws -> any ModelLayer
    ) {
        self.entity = entity
        self.makeRecord = makeRecord
        makeLayer = { try await open(CheckFolder.current()) }
        reopen = { _ in try await open(CheckFolder.current()) }
        hasFolders = true
    }

    /// One for each rule; each opens a layer of its own, in a folder of its own where there are folders.
    public var checks: [ConformanceCheck] {
        let checks = recordChecks + identifierChecks + queryChecks + transactionChecks
        return hasFolders ? CheckFolder.own(for: checks) : checks
    }

    /// A check that gets a layer of its own and closes it; it may block.
    func check(
        _ name: String, _ body: @escaping @Sendable (any ModelLayer) async throws -> Void
    ) -> ConformanceCheck {
        let makeLayer = makeLayer
        return ConformanceCheck(name) {
            let layer = try await makeLayer()
            try await withTaskExecutorPreference(BlockingThread()) {
                do {
                    try await Expect.noting { try await body(layer) }
                } catch {
                    try? layer.close()
                    throw error
                }
                try layer.close()
            }
        }
    }

    func uri(_ id: String) -> ObjectURI { ObjectURI(entity: entity, id: id) }

    /// What is there is `record`, as far as the context knows it.
    func expect(_ context: any AppContext, _ id: String, is record: ObjectRecord?, _ what: String) throws {
        guard let found = try context.record(at: uri(id)) else {
            return try Expect.that(record == nil, "\(what): expected \(record!), got nothing")
        }
        guard let record else { throw ConformanceFailure("\(what): expected nothing, got \(found)") }
        for member in found.members {
            try Expect.equal(member.value, record[member.name] ?? .null, "\(what), the member \(member.name)")
        }
    }

    func put(_ layer: any ModelLayer, _ objects: [(id: String, variant: Int)]) throws {
        try layer.write(.power) { context in
            try context.upsert(objects.map { (uri($0.id), makeRecord($0.id, $0.variant)) })
        }
    }

    func ids(_ context: any AppContext, _ query: Query) throws -> [String] {
        var found: [String] = []
        try context.records(matching: query) { uri, _ in
            found.append(uri.id)
            return true
        }
        return found
    }
}

extension AppContextSuite {
    var recordChecks: [ConformanceCheck] {
        [
            check("the layer holds the entity, and variants of a record are told apart") { layer in
                try Expect.that(layer.holds(entity), "the layer must hold \(entity)")
                try put(layer, [("1", 1), ("2", 2), ("3", 3)])
                try layer.read { context in
                    let found = try ["1", "2", "3"].map { id in
                        try context.record(at: uri(id))?.members.filter { $0.value != .string(id) } ?? []
                    }
                    try Expect.that(
                        found.allSatisfy { !$0.isEmpty } && found[0] != found[1] && found[1] != found[2],
                        "the variants 1, 2 and 3 must differ in what the context gives back: \(found)")
                }
            },
            check("an object comes back with the values it was given") { layer in
                try put(layer, [("1", 1), ("2", 2)])
                try layer.read { context in
                    try expect(context, "1", is: makeRecord("1", 1), "a new object")
                    try expect(context, "2", is: makeRecord("2", 2), "another one of the batch")
                }
            },
            check("upsert replaces, in the order of the batch, and leaves others alone") { layer in
                try put(layer, [("1", 1), ("2", 1)])
                try put(layer, [("1", 2), ("1", 3)])
                try layer.read { context in
                    try expect(context, "1", is: makeRecord("1", 3), "an object that stands twice in a batch")
                    try expect(context, "2", is: makeRecord("2", 1), "another object")
                    try Expect.equal(ids(context, Query(entity)), ["1", "2"], "the objects")
                }
            },
            check("members that the application does not know are no error") { layer in
                let record = makeRecord("1", 1).replacing(member: "x-unknown", with: ["deep": [1, nil]])
                try layer.write(.power) { try $0.upsert([(uri("1"), record)]) }
                try layer.read { try expect($0, "1", is: record, "an object with an unknown member") }
            },
            check("a deleted object is gone, and deleting what is not there is no error") { layer in
                try put(layer, [("1", 1), ("2", 2)])
                try layer.write(.power) { context in
                    try context.delete([uri("1"), uri("unknown")])
                    try context.delete([uri("1")])
                    try context.delete([])
                    try context.upsert([])
                }
                try layer.read { context in
                    try expect(context, "1", is: nil, "a deleted object")
                    try expect(context, "unknown", is: nil, "an object that never was")
                    try expect(context, "2", is: makeRecord("2", 2), "another object")
                }
                try put(layer, [("1", 3)])
                try layer.read { try expect($0, "1", is: makeRecord("1", 3), "an object made again") }
            }
        ]
    }

    var identifierChecks: [ConformanceCheck] {
        [
            check("changing an identifier moves the object and nothing else") { layer in
                let temporary = "8F0C9A52-77B1-4B4D-8A53-5E0B3F1C2D10"
                try put(layer, [(temporary, 1), ("2", 2)])
                try layer.write(.power) { context in
                    try context.changeIdentifier(from: uri(temporary), to: uri("1"))
                    try context.changeIdentifier(from: uri("unknown"), to: uri("3"))
                    try context.changeIdentifier(from: uri("2"), to: uri("2"))
                }
                try layer.read { context in
                    try expect(context, temporary, is: nil, "the object at its old identifier")
                    try Expect.that(context.record(at: uri("1")) != nil, "the object must be at its new identifier")
                    try expect(context, "3", is: nil, "what a move of nothing made")
                    try expect(context, "2", is: makeRecord("2", 2), "an object moved to itself")
                }
            },
            check("an identifier that is taken is refused, and nothing changes") { layer in
                try put(layer, [("1", 1), ("2", 2)])
                let refused = try code {
                    try layer.write(.power) { try $0.changeIdentifier(from: uri("1"), to: uri("2")) }
                }
                try Expect.equal(refused, .identifierTaken, "the error's code")
                try layer.read { context in
                    try expect(context, "1", is: makeRecord("1", 1), "the object that was to move")
                    try expect(context, "2", is: makeRecord("2", 2), "the object in its way")
                }
            },
            check("identifiers are told apart by their bytes") { layer in
                let all = ["1", "01", "1.0", "a", "A", "a/b", "a%2Fb", " a", "é", "e\u{301}", "'", "\"", "%", "_"]
                try put(layer, all.map { ($0, 1) })
                try layer.write(.power) { try $0.delete([uri("a"), uri("1.0")]) }
                try layer.read { context in
                    try Expect.equal(
                        Set(ids(context, Query(entity)).map { Array($0.utf8) }),
                        Set(all.filter { !["a", "1.0"].contains($0) }.map { Array($0.utf8) }), "what is left")
                }
            }
        ]
    }

    var queryChecks: [ConformanceCheck] {
        [
            check("objects come in order of identifier, integers first, as many as asked for") { layer in
                try put(layer, ["b", "10", "9", "a", "100"].map { ($0, 1) })
                try layer.read { context in
                    let order = ["9", "10", "100", "a", "b"]
                    try Expect.equal(ids(context, Query(entity)), order, "all")
                    try Expect.equal(ids(context, Query(entity, limit: 2)), ["9", "10"], "the first two")
                    try Expect.equal(ids(context, Query(entity, limit: 0)), [], "none")
                    var seen: [String] = []
                    try context.records(matching: Query(entity)) { uri, _ in
                        seen.append(uri.id)
                        return seen.count < 3
                    }
                    try Expect.equal(seen, Array(order.prefix(3)), "until the closure has enough")
                    try Expect.equal(ids(context, Query("atmosphere unknown")), [], "objects of an unknown entity")
                }
            },
            check("a query's conditions hold for what it gives") { layer in
                try put(layer, (1...9).map { ("\($0)", $0 % 3 + 1) })
                try layer.read { context in
                    let one = try context.record(at: uri("1"))?.members ?? [:]
                    let two = try context.record(at: uri("2"))?.members ?? [:]
                    guard
                        let field = one.first(where: { member in
                            member.value.text != "1" && two[member.name] != nil && two[member.name] != member.value
                        })
                    else { throw ConformanceFailure("no member tells the variants apart") }
                    let query = Query(entity, where: [Query.Condition(field.name, .equal, field.value)])
                    var all: [(ObjectURI, ObjectRecord)] = []
                    try context.records(matching: Query(entity)) {
                        all.append(($0, $1))
                        return true
                    }
                    try Expect.equal(
                        ids(context, query), query.select(from: all).map(\.0.id), "where \(field.name) is the first's")
                    let ordered = Query(entity, order: [Query.Order(field.name, ascending: false)], limit: 4)
                    try Expect.equal(
                        ids(context, ordered), ordered.select(from: all).map(\.0.id), "by \(field.name), descending")
                }
            }
        ]
    }

    var transactionChecks: [ConformanceCheck] {
        let checks = [
            check("a write that throws keeps nothing, and hands the error on") { layer in
                struct Stop: Error {}
                try put(layer, [("1", 1), ("2", 2)])
                var isThrown = false
                do {
                    try layer.write(.power) { context in
                        try context.upsert([(uri("1"), makeRecord("1", 3)), (uri("3"), makeRecord("3", 1))])
                        try context.delete([uri("2")])
                        throw Stop()
                    }
                } catch is Stop {
                    isThrown = true
                }
                try Expect.that(isThrown, "the closure's error must come out of the write")
                try layer.read { context in
                    try expect(context, "1", is: makeRecord("1", 1), "an object that was to be replaced")
                    try expect(context, "2", is: makeRecord("2", 2), "an object that was to be deleted")
                    try expect(context, "3", is: nil, "an object that was to be made")
                }
            },
            check("a write sees what it has written") { layer in
                try put(layer, [("1", 1)])
                let found = try layer.write(.process) { context in
                    try context.upsert([(uri("1"), makeRecord("1", 2))])
                    try expect(context, "1", is: makeRecord("1", 2), "an object inside the write")
                    try context.changeIdentifier(from: uri("1"), to: uri("2"))
                    return try ids(context, Query(entity))
                }
                try Expect.equal(found, ["2"], "the objects inside the write, and the closure's result")
            }
        ]
        guard let reopen else { return checks }
        return checks + [
            check("everything survives closing and opening again") { layer in
                try put(layer, [("1", 1), ("2", 2), ("3", 3)])
                try layer.write(.power) { context in
                    try context.changeIdentifier(from: uri("3"), to: uri("4"))
                    try context.delete([uri("2")])
                }
                try layer.close()
                let opened = try await reopen(layer)
                try opened.read { context in
                    try expect(context, "1", is: makeRecord("1", 1), "an object")
                    try Expect.equal(ids(context, Query(entity)), ["1", "4"], "all objects")
                }
                try opened.close()
            }
        ]
    }
}
