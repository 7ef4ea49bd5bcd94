import Atmosphere
import Synchronization
import Testing

/// An application's objects in memory, with one fault, which the suite must find.
final class MemoryModels: ModelLayer {
    enum Fault: String, CaseIterable, CustomTestStringConvertible {
        case dropsAMember, keepsTheFirst, refusesUnknownMembers, throwsForUnknown, keepsTheDeleted, leavesTheMoved
        case overwritesOnMove, ignoresCase, ordersAsText, ignoresLimits, ignoresConditions, keepsWhatWasRolledBack
        case hidesItsOwnWrites, forgets

        var testDescription: String { rawValue }

        /// How the check begins that is meant for it.
        var check: String {
            switch self {
            case .dropsAMember: "the layer holds the entity"
            case .keepsTheFirst: "upsert replaces"
            case .refusesUnknownMembers: "members that the application does not know"
            case .throwsForUnknown, .keepsTheDeleted: "a deleted object is gone"
            case .leavesTheMoved: "changing an identifier moves"
            case .overwritesOnMove: "an identifier that is taken"
            case .ignoresCase: "identifiers are told apart"
            case .ordersAsText, .ignoresLimits: "objects come in order"
            case .ignoresConditions: "a query's conditions"
            case .keepsWhatWasRolledBack: "a write that throws"
            case .hidesItsOwnWrites: "a write sees"
            case .forgets: "everything survives"
            }
        }
    }

    struct Objects: Sendable, Equatable {
        var all: [ObjectURI: ObjectRecord] = [:]
    }

    /// What a process leaves behind.
    final class Disk: Sendable {
        let objects = Mutex(Objects())
        /// What a loss of power leaves.
        private let flushed = Mutex(Objects())
        /// Writes that are still let through; nil for all.
        let writesLeft = Mutex<Int?>(nil)

        func flush() {
            let now = objects.withLock { $0 }
            flushed.withLock { $0 = now }
        }

        func losePower() {
            let rest = flushed.withLock { $0 }
            objects.withLock { $0 = rest }
        }
    }

    let disk: Disk
    private let fault: Fault?
    private let entities: Set<String>?
    /// The members that the application knows; nil for all.
    private let known: Set<String>?
    /// What it makes of a value.
    private let form: @Sendable (Value.Member) -> Value

    init(
        _ fault: Fault? = nil, on disk: Disk = Disk(), entities: Set<String>? = nil, known: Set<String>? = nil,
        form: @escaping @Sendable (Value.Member) -> Value = { $0.value }
    ) {
        self.fault = fault
        self.disk = disk
        self.entities = entities
        self.known = known
        self.form = form
    }

    func holds(_ entity: String) -> Bool { entities?.contains(entity) ?? true }

    func read<Result>(_ body: (any AppContext) throws -> Result) throws -> Result {
        try body(Context(disk.objects.withLock { $0 }, fault, known, form))
    }

    func write<Result>(_ durability: Durability, _ body: (any AppContext) throws -> Result) throws -> Result {
        let isLetThrough = disk.writesLeft.withLock { left in
            guard let count = left else { return true }
            left = max(0, count - 1)
            return count > 0
        }
        guard isLetThrough else {
            throw StoreError(code: .full, message: "the models cannot be written; free some space")
        }
        let context = Context(disk.objects.withLock { $0 }, fault, known, form)
        do {
            let result = try body(context)
            disk.objects.withLock { $0 = context.objects }
            if durability == .power { disk.flush() }
            return result
        } catch {
            if fault == .keepsWhatWasRolledBack { disk.objects.withLock { $0 = context.objects } }
            throw error
        }
    }

    func close() throws { if fault == .forgets { disk.objects.withLock { $0 = Objects() } } }

    subscript(uri: ObjectURI) -> ObjectRecord? {
        get { disk.objects.withLock { $0.all[uri] } }
        set { disk.objects.withLock { $0.all[uri] = newValue } }
    }

    private final class Context: AppContext {
        private let before: Objects
        private(set) var objects: Objects
        private let fault: Fault?
        private let known: Set<String>?
        private let form: (Value.Member) -> Value

        init(
            _ objects: Objects, _ fault: Fault?, _ known: Set<String>?, _ form: @escaping (Value.Member) -> Value
        ) {
            before = objects
            self.objects = objects
            self.fault = fault
            self.known = known
            self.form = form
        }

        func record(at uri: ObjectURI) throws -> ObjectRecord? {
            (fault == .hidesItsOwnWrites ? before : objects).all[key(uri)]
        }

        private func key(_ uri: ObjectURI) -> ObjectURI {
            fault == .ignoresCase ? ObjectURI(entity: uri.entity, id: uri.id.lowercased()) : uri
        }

        func records(matching query: Query, _ each: (ObjectURI, ObjectRecord) throws -> Bool) throws {
            var query = query
            if fault == .ignoresLimits { query.limit = nil }
            if fault == .ignoresConditions { query = Query(query.entity, order: query.order, limit: query.limit) }
            var found = query.select(from: objects.all.map { ($0.key, $0.value) })
            if fault == .ordersAsText { found.sort { $0.0.id < $1.0.id } }
            for (uri, record) in found where try !each(uri, record) { return }
        }

        func upsert(_ batch: [(uri: ObjectURI, record: ObjectRecord)]) throws {
            for (uri, given) in batch {
                var record = given
                for member in given.members where form(member) != member.value {
                    record = record.replacing(member: member.name, with: form(member))
                }
                if fault == .keepsTheFirst, objects.all[uri] != nil { continue }
                if fault == .refusesUnknownMembers, record["x-unknown"] != nil {
                    throw StoreError(code: .damaged, message: "unknown")
                }
                let members = record.members.filter { member in
                    known?.contains(member.name) ?? (fault != .dropsAMember || member.name == "id")
                }
                objects.all[key(uri)] = known == nil && fault != .dropsAMember ? record : ObjectRecord(.init(members))
            }
        }

        func changeIdentifier(from: ObjectURI, to: ObjectURI) throws {
            guard from != to, let record = objects.all[from] else { return }
            if objects.all[to] != nil, fault != .overwritesOnMove {
                throw StoreError(code: .identifierTaken, message: "\(to) is taken")
            }
            if fault != .leavesTheMoved { objects.all[from] = nil }
            objects.all[to] = record
        }

        func delete(_ batch: [ObjectURI]) throws {
            for uri in batch {
                if fault == .throwsForUnknown, objects.all[uri] == nil {
                    throw StoreError(code: .damaged, message: "unknown")
                }
                if fault != .keepsTheDeleted { objects.all[key(uri)] = nil }
            }
        }
    }
}
