/// What can go wrong in a store.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, for code to tell; the list can grow.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        /// A code of a store's own, where none of those below says it. A name in camel case; it stays what it is.
        public init(_ description: String) { self.description = description }

        /// The store was closed, or a transaction is used after its end.
        public static let closed = Code("closed")
        /// A write on a snapshot.
        public static let readOnly = Code("readOnly")
        /// The identifier belongs to another object.
        public static let identifierTaken = Code("identifierTaken")
        /// The file cannot be opened, read or written.
        public static let inputOutput = Code("inputOutput")
        /// The file is not what this store wrote, or was damaged.
        public static let damaged = Code("damaged")
        /// The file was written by a newer version.
        public static let newerFormat = Code("newerFormat")
        /// No space is left.
        public static let full = Code("full")
    }

    /// What went wrong, for code; ``message`` is for people.
    public var code: Code
    /// Names the file or object, the reason and the remedy.
    public var message: String
    /// What a lower layer threw, where something did.
    public var cause: (any Error)?

    /// An error whose message names the file or object, the reason and the remedy.
    public init(code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    public var description: String { message }

    /// The error for a snapshot or a transaction that is used after its closure has returned.
    public static var transactionEnded: StoreError {
        StoreError(
            code: .closed,
            message: "the transaction has ended; use it only inside the closure that it was passed to")
    }

    /// The error for a write on a snapshot.
    public static var snapshotIsReadOnly: StoreError {
        StoreError(code: .readOnly, message: "a snapshot cannot be written; call the store's write instead of read")
    }

    /// The error for a store that is used after it was closed.
    ///
    /// - Parameter store: what messages call it: its path.
    public static func closed(_ store: String) -> StoreError {
        StoreError(code: .closed, message: "\(store) was closed; open it again")
    }

    /// The error for a move to an identifier that another object has.
    public static func identifierTaken(_ taken: ObjectURI, by other: ObjectURI) -> StoreError {
        StoreError(
            code: .identifierTaken,
            message: "\(other) cannot become \(taken): another object has that identifier; resolve that one first")
    }

    /// The error for stored data that no store wrote.
    ///
    /// - Parameters:
    ///   - thing: what is damaged: `/data/tasks.log:12`, `the record of tasks/1`.
    ///   - reason: what is wrong with it, as a clause: `it is not an object`.
    public static func damaged(_ thing: String, _ reason: String) -> StoreError {
        StoreError(
            code: .damaged,
            message:
                "\(thing) is damaged: \(reason); open the store again, or run the command again, while nothing else uses "
                + "it: what can still be read is saved then, and the damaged file is kept")
    }
}
