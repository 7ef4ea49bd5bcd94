internal import Synchronization

/// What one iteration has read: a model is read again only where its record is another.
final class KnownModels<Model: Codable & Sendable>: Sendable {
    private struct Known {
        var object: LocalObject
        /// nil where there is no record, or it is no such model.
        var model: Model?

        /// A model is made of these two.
        func isRead(from other: LocalObject) -> Bool {
            object.record == other.record && object.meta.id == other.meta.id
        }
    }

    private struct State {
        var known: [ObjectURI: Known] = [:]
        /// The objects that were given last; nil before the first time.
        var shown: [LocalObject]?
    }

    private let objects: Objects<Model>
    // Values come one after another; the lock is for the compiler, and nothing waits for it.
    private let state = Mutex(State())

    init(of objects: Objects<Model>) { self.objects = objects }

    /// The objects that are such models.
    ///
    /// - Returns: nil where they are the same as the last time.
    /// - Throws: ``ModelError`` for the first that is not, where those are not left out.
    func list(_ present: [LocalObject]) throws -> [TypedObject<Model>]? {
        let before = state.withLock { $0 }
        var after = State()
        after.known.reserveCapacity(present.count)
        var list: [TypedObject<Model>] = []
        list.reserveCapacity(present.count)
        for object in present {
            let model = try model(of: object, before.known[object.uri])
            after.known[object.uri] = Known(object: object, model: model)
            if let model { list.append(TypedObject(object: object, model: model)) }
        }
        let shown = list.map(\.object)
        after.shown = shown
        state.withLock { [after] in $0 = after }
        return shown == before.shown ? nil : list
    }

    /// - Returns: nil where the object is the same as the last time, and in it nil where there is none.
    func one(_ present: LocalObject?) throws -> TypedObject<Model>?? {
        let before = state.withLock { $0 }
        var after = State()
        var typed: TypedObject<Model>?
        if let present {
            // It may have another identifier by now.
            let known = before.known.values.first { $0.isRead(from: present) }
            let model = try known?.model ?? objects.model(of: present)
            after.known[present.uri] = Known(object: present, model: model)
            typed = model.map { TypedObject(object: present, model: $0) }
        }
        after.shown = typed.map { [$0.object] } ?? []
        state.withLock { [after] in $0 = after }
        return after.shown == before.shown ? nil : .some(typed)
    }

    private func model(of object: LocalObject, _ known: Known?) throws -> Model? {
        if let known, known.isRead(from: object) { return known.model }
        do {
            return try objects.model(of: object)
        } catch let error as ModelError where objects.coding.unreadable.isLeftOutOfStreams {
            objects.noteUnreadable(object, error)
            return nil
        }
    }
}

/// Which records were said to be no such model.
final class UnreadableRecords: Sendable {
    // Hashes, because nothing else is asked of them: a record may be long.
    private let said = Mutex<Set<Int>>([])

    /// Whether this version of the object is asked about for the first time.
    func isNew(_ object: LocalObject, as model: Any.Type) -> Bool {
        var hasher = Hasher()
        hasher.combine(ObjectIdentifier(model))
        hasher.combine(object.uri)
        hasher.combine(object.record)
        return said.withLock { [hash = hasher.finalize()] in $0.insert(hash).inserted }
    }
}
