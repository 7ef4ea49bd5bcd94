#if canImport(CoreData)
    public import Atmosphere
    public import CoreData

    /// The same for an application with Core Data: its entity `Todo` with the attributes `serverID`, `name`, `isDone` and
    /// `note`.
    ///
    /// - Important: Not tested. It was written where there is no Core Data; run `AppContextSuite` on it before you use it.
    public final class CoreDataModels: ModelLayer, @unchecked Sendable {
        // A context of its own, used on its own queue only.
        private let context: NSManagedObjectContext

        /// - Parameter container: with its stores loaded, each with `["synchronous": "FULL", "fullfsync": "1"]` under
        ///   `NSSQLitePragmasOption`: by default Core Data's last saves do not survive a loss of power, and what comes back in
        ///   their place counts as an edit.
        public init(_ container: NSPersistentContainer) {
            context = container.newBackgroundContext()
            // What the application has saved meanwhile counts where both have changed a member.
            context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
        }

        public func holds(_ entity: String) -> Bool { entity == "tasks" }

        public func read<Result>(_ body: (any AppContext) throws -> Result) throws -> Result {
            try context.performAndWait {
                context.reset()
                return try body(CoreDataContext(context: context))
            }
        }

        public func write<Result>(
            _ durability: Durability, _ body: (any AppContext) throws -> Result
        ) throws -> Result {
            try context.performAndWait {
                context.reset()
                do {
                    let result = try body(CoreDataContext(context: context))
                    if context.hasChanges { try context.save() }
                    return result
                } catch {
                    context.rollback()
                    throw error
                }
            }
        }
    }

    private struct CoreDataContext: AppContext {
        let context: NSManagedObjectContext

        private func object(_ id: String) throws -> NSManagedObject? {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Todo")
            request.predicate = NSPredicate(format: "serverID == %@", id)
            // The store may compare by a collation; identifiers are their bytes.
            return try context.fetch(request).first { Self.id($0).map { Array($0.utf8) } == Array(id.utf8) }
        }

        private static func id(_ object: NSManagedObject) -> String? { object.value(forKey: "serverID") as? String }

        private static func record(_ object: NSManagedObject) -> ObjectRecord {
            var members: Value.Members = [:]
            members["title"] = (object.value(forKey: "name") as? String).map(Value.string)
            members["done"] = (object.value(forKey: "isDone") as? Bool).map(Value.bool)
            members["notes"] = (object.value(forKey: "note") as? String).map(Value.string)
            return ObjectRecord(members)
        }

        func record(at uri: ObjectURI) throws -> ObjectRecord? {
            guard uri.entity == "tasks" else { return nil }
            return try object(uri.id).map(Self.record)
        }

        func records(matching query: Query, _ each: (ObjectURI, ObjectRecord) throws -> Bool) throws {
            guard query.entity == "tasks" else { return }
            let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Todo")).compactMap { object in
                Self.id(object).map { (ObjectURI(entity: "tasks", id: $0), Self.record(object)) }
            }
            for (uri, record) in query.select(from: all) where try !each(uri, record) { return }
        }

        func upsert(_ batch: [(uri: ObjectURI, record: ObjectRecord)]) throws {
            for (uri, record) in batch {
                let object =
                    try object(uri.id) ?? NSEntityDescription.insertNewObject(forEntityName: "Todo", into: context)
                object.setValue(uri.id, forKey: "serverID")
                object.setValue(record["title"]?.string, forKey: "name")
                object.setValue(record["done"]?.bool, forKey: "isDone")
                object.setValue(record["notes"]?.string, forKey: "note")
            }
        }

        func changeIdentifier(from: ObjectURI, to: ObjectURI) throws {
            guard from != to, let object = try object(from.id) else { return }
            guard try self.object(to.id) == nil else {
                throw StoreError(
                    code: .identifierTaken, message: "\(from) cannot become \(to): another Todo has that identifier")
            }
            object.setValue(to.id, forKey: "serverID")
        }

        func delete(_ batch: [ObjectURI]) throws {
            for uri in batch { try object(uri.id).map(context.delete) }
        }
    }
#endif
