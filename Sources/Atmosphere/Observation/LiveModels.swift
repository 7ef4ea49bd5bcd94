#if canImport(Observation)
    public import Observation

    /// The answer to a query for a user interface, kept up to date while somebody holds it.
    ///
    /// ```swift
    /// @State var tasks = LiveQuery(Query("tasks", order: [.init("due")]), in: api)
    /// ```
    @MainActor @Observable
    public final class LiveQuery<Element: Sendable> {
        /// In the query's order; empty until the first answer.
        public private(set) var objects: [Element] = []
        /// The first answer is here.
        public private(set) var isLoaded = false
        /// Why the objects are not followed any more; nil while they are.
        public private(set) var error: (any Error)?
        @ObservationIgnored private var reading: Reading?

        /// Follows a sequence of objects until nobody holds the model.
        ///
        /// - Parameter changes: what to follow: ``Synchronizer/changes(of:)``.
        public init(_ changes: Changes<[Element]>) {
            reading = Reading(changes) { [weak self] objects in
                self?.objects = objects
                self?.isLoaded = true
            } failed: { [weak self] error in
                self?.error = error
            }
        }
    }

    extension LiveQuery where Element == LocalObject {
        /// Follows the records that a query holds for; see ``Synchronizer/changes(of:)``.
        public convenience init(_ query: Query, in synchronizer: Synchronizer) {
            self.init(synchronizer.changes(of: query))
        }
    }

    /// One object for a user interface, kept up to date while somebody holds it.
    @MainActor @Observable
    public final class LiveObject<Element: Sendable> {
        /// nil until the first answer, and while there is no such object.
        public private(set) var object: Element?
        /// False until the first value is here; an object that is not there is loaded, too.
        public private(set) var isLoaded = false
        /// Why the object is not followed any more; nil while it is.
        public private(set) var error: (any Error)?
        @ObservationIgnored private var reading: Reading?

        /// Follows a sequence of one object until nobody holds the model.
        ///
        /// - Parameter changes: what to follow: ``Synchronizer/changes(at:)``.
        public init(_ changes: Changes<Element?>) {
            reading = Reading(changes) { [weak self] object in
                self?.object = object
                self?.isLoaded = true
            } failed: { [weak self] error in
                self?.error = error
            }
        }
    }

    extension LiveObject where Element == LocalObject {
        /// Follows one object; see ``Synchronizer/changes(at:)``.
        public convenience init(_ uri: ObjectURI, in synchronizer: Synchronizer) {
            self.init(synchronizer.changes(at: uri))
        }
    }

    /// How synchronization stands, for a user interface, kept up to date while somebody holds it.
    @MainActor @Observable
    public final class LiveSyncStatus {
        /// nil until the first answer.
        public private(set) var status: SyncStatus?
        /// Why the status is not followed any more; nil while it is.
        public private(set) var error: (any Error)?
        @ObservationIgnored private var reading: Reading?

        /// Follows ``Synchronizer/statusChanges()`` until nobody holds the model.
        public init(of synchronizer: Synchronizer) {
            reading = Reading(synchronizer.statusChanges()) { [weak self] status in
                self?.status = status
            } failed: { [weak self] error in
                self?.error = error
            }
        }
    }

    /// The task that feeds a model; it ends with the model.
    private final class Reading: Sendable {
        private let task: Task<Void, Never>

        @MainActor
        init<Element: Sendable>(
            _ changes: Changes<Element>, _ show: @escaping @MainActor @Sendable (Element) -> Void,
            failed: @escaping @MainActor @Sendable (any Error) -> Void
        ) {
            task = Task { @MainActor in
                do {
                    for try await value in changes { show(value) }
                } catch {
                    failed(error)
                }
            }
        }

        deinit { task.cancel() }
    }
#endif
