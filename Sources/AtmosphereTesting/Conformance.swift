internal import Atmosphere
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// One thing that every implementation of a protocol must do.
///
/// A plain value without a test library, so that any of them can run it: one test case for each check, which fails
/// with the ``ConformanceFailure`` that ``run(within:)`` throws.
public struct ConformanceCheck: Sendable, CustomStringConvertible {
    /// A sentence that says what is expected.
    public let name: String
    let body: @Sendable () async throws -> Void

    /// A check of one thing.
    ///
    /// - Parameters:
    ///   - name: a sentence that says what is expected.
    ///   - body: throws ``ConformanceFailure`` where it is otherwise; run anew by each ``run(within:)``.
    public init(_ name: String, _ body: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// How long a check may take where nothing else is said: 30 seconds, or what the environment says in
    /// `ATMOSPHERE_CHECK_SECONDS`, for a machine that is busy with others.
    public static let usualLimit: Duration = {
        let text = ProcessInfo.processInfo.environment["ATMOSPHERE_CHECK_SECONDS"]
        return .seconds(text.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 30)
    }()

    /// Runs the check once.
    ///
    /// A check that does not end is left to itself, cancelled, so that the others can go on. What keeps all threads of
    /// Swift's tasks from going on cannot be noticed so.
    ///
    /// - Parameter limit: how long it may take; ``usualLimit`` by default, where most take a moment.
    /// - Throws: ``ConformanceFailure``, also where the time is over, with what was found before that; what the
    ///   implementation threw where it should not have; `CancellationError` where the caller is cancelled.
    public func run(within limit: Duration = ConformanceCheck.usualLimit) async throws {
        let body = body
        let finding = FirstFinding()
        let (results, result) = AsyncThrowingStream.makeStream(of: Void.self)
        let check = Task {
            do {
                try await FirstFinding.$current.withValue(finding) { try await body() }
                result.yield()
                result.finish()
            } catch {
                result.finish(throwing: error)
            }
        }
        let watchdog = Task {
            try await Task.sleep(for: limit)
            let before = finding.text.map { "\($0); after that " } ?? ""
            result.finish(throwing: ConformanceFailure("\(before)“\(name)” did not end within \(limit)"))
        }
        defer {
            check.cancel()
            watchdog.cancel()
        }
        for try await _ in results { return }
        // The stream ends without an outcome where the caller is cancelled.
        throw CancellationError()
    }

    public var description: String { name }
}

/// What an implementation did, and what it should have done.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    /// What was expected and what was there, on one line: control characters, which identifiers may hold, are written as
    /// `\u{7}`.
    public let message: String

    /// A failure whose message says what was expected and what was there.
    public init(_ message: String) {
        self.message = message.escaped
    }

    public var description: String { message }
}

/// What a check found first, for the case that it does not end because of it: a store that cannot be closed after an error,
/// a group of tasks of which one waits for another that has failed.
final class FirstFinding: Sendable {
    @TaskLocal static var current: FirstFinding?

    private let error = Mutex<(any Error)?>(nil)

    /// What was found, as a message; nil where there was nothing.
    var text: String? {
        error.withLock { $0 }.map { ($0 as? ConformanceFailure)?.message ?? "threw \($0)" }
    }

    /// Notes an error of the check that runs, where it is the first one and is not about cancelling.
    static func note(_ error: any Error) {
        if error is CancellationError { return }
        current?.error.withLock { $0 = $0 ?? error }
    }
}

/// The ways in which a check fails.
enum Expect {
    static func that(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        if !condition { throw noted(ConformanceFailure(message())) }
    }

    static func equal<T: Equatable>(_ actual: T?, _ expected: T?, _ what: @autoclosure () -> String) throws {
        if actual != expected {
            throw noted(ConformanceFailure("\(what()): expected \(brief(expected)), got \(brief(actual))"))
        }
    }

    /// Runs a part of a check whose error could be lost while another part does not end.
    static func noting<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch {
            FirstFinding.note(error)
            throw error
        }
    }

    private static func noted(_ failure: ConformanceFailure) -> ConformanceFailure {
        FirstFinding.note(failure)
        return failure
    }

    /// Values can be long, and an identifier of 20,000 characters must not fill the screen.
    private static func brief<T>(_ value: T?) -> String {
        let text = value.map { String(describing: $0) } ?? "nil"
        return text.count <= 600 ? text : "\(text.prefix(600))… (\(text.count) characters)"
    }
}
