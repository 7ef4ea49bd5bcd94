import Foundation

/// A program in a process of its own. What it writes is read as it comes, so the program never waits for its reader, and
/// nobody waits for the program longer than a deadline: then it is killed, with all that it has started.
final class Launched: Sendable {
    /// Where standard error goes: among the output, into a text of its own, or there and to the error stream of the tests,
    /// which no program inherits: one that is left behind would keep it open.
    enum Errors { case joined, apart, shown }

    struct Said: Sendable {
        var output = Data()
        var errors = Data()
        /// What is left behind may hold its streams, and what Foundation knows its end by.
        fileprivate(set) var hasEnded = false
        fileprivate var openEnds = 0

        var text: String { String(decoding: output, as: UTF8.self) }
        var errorText: String { String(decoding: errors, as: UTF8.self) }
        /// Nothing more will come.
        var isWhole: Bool { openEnds == 0 }
    }

    struct Overdue: Error, CustomStringConvertible { var description: String }

    private let process = Process()
    private let input: Pipe?
    private let board = Board()

    /// - Parameter keepsInput: standard input stays open until this is released; else it is empty.
    init(
        _ program: URL, _ arguments: [String], environment: [String: String]? = nil, errors: Errors = .joined,
        keepsInput: Bool = false
    ) throws {
        process.executableURL = program
        process.arguments = arguments
        if let environment { process.environment = environment }
        let board = board
        process.terminationHandler = { _ in board.change { $0.openEnds -= 1 } }
        // What is made while another program starts could be inherited by it, and would stay open as long as it runs.
        input = try Process.starting.withLock { [process] in
            let input = keepsInput ? Pipe() : nil
            let output = Pipe()
            process.standardInput = input ?? FileHandle.nullDevice
            process.standardOutput = output
            let separate = errors == .joined ? nil : Pipe()
            process.standardError = separate ?? output
            board.change { $0.openEnds = separate == nil ? 3 : 4 }
            try process.run()
            Self.read(output, board) { $0.output += $1 }
            if let separate {
                Self.read(separate, board) {
                    $0.errors += $1
                    if errors == .shown { FileHandle.standardError.write($1) }
                }
            }
            return input
        }
        let identifier = id_t(process.processIdentifier)
        Thread.detachNewThread {
            var end = siginfo_t()
            // Foundation is to find it as well. Where it was faster, there is no such process any more.
            while waitid(P_PID, identifier, &end, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            board.change {
                $0.hasEnded = true
                $0.openEnds -= 1
            }
        }
    }

    deinit {
        try? input?.fileHandleForWriting.close()
        if !board.said.isWhole { kill() }
    }

    private static func read(_ pipe: Pipe, _ board: Board, _ take: @escaping @Sendable (inout Said, Data) -> Void) {
        Thread.detachNewThread {
            let reader = pipe.fileHandleForReading
            while case let data = reader.availableData, !data.isEmpty { board.change { take(&$0, data) } }
            // Foundation cannot start a process beside 1,300 open files.
            try? reader.close()
            try? pipe.fileHandleForWriting.close()
            board.change { $0.openEnds -= 1 }
        }
    }

    /// Waits until what the program has said, or its end, is what `find` looks for.
    ///
    /// - Throws: ``Overdue``, with all that it has said, where it ends without that, or is killed at the deadline.
    func wait<Found>(for what: String, seconds: TimeInterval, _ find: (Said) throws -> Found?) throws -> Found {
        let isInTime = try board.wait(seconds: seconds) { try $0.isWhole || find($0) != nil }
        if let found = try find(board.said) { return found }
        if isInTime { throw overdue("ended without \(what)") }
        kill()
        throw overdue("was killed after \(Int(seconds)) s without \(what)")
    }

    /// Its first line.
    func line(seconds: TimeInterval = 120) throws -> String {
        try wait(for: "a line", seconds: seconds) { said in
            said.output.firstIndex(of: UInt8(ascii: "\n")).map { String(decoding: said.output[..<$0], as: UTF8.self) }
        }
    }

    /// Waits for the end of the program, and for what it still had to say.
    func end(seconds: TimeInterval) throws -> (status: Int32, said: Said) {
        try wait(for: "its end", seconds: seconds) { $0.hasEnded ? () : nil }
        if !board.wait(seconds: 10, until: \.isWhole) {
            FileHandle.standardError.write(Data("\(name) has left processes behind, which are killed now\n".utf8))
            kill()
            if !board.wait(seconds: 10, until: \.isWhole) { throw overdue("ended, but others hold its streams") }
        }
        return (process.terminationStatus, board.said)
    }

    /// Kills it with all that it has started: Foundation gives each program a process group of its own.
    func kill() {
        let identifier = process.processIdentifier
        if Foundation.kill(-identifier, SIGKILL) != 0, !board.said.hasEnded { _ = Foundation.kill(identifier, SIGKILL) }
    }

    private var name: String {
        ([process.executableURL?.lastPathComponent ?? ""] + (process.arguments ?? [])).joined(separator: " ")
    }

    private func overdue(_ reason: String) -> Overdue {
        let said = board.said
        return Overdue(description: "\(name) \(reason); it said\n\(said.text)\n\(said.errorText)")
    }

    /// What a program has said so far, for those who wait for more of it.
    ///
    /// `said` is touched under the condition's lock alone.
    private final class Board: @unchecked Sendable {
        private let condition = NSCondition()
        private var current = Said()

        var said: Said { condition.withLock { current } }

        func change(_ body: (inout Said) -> Void) {
            condition.withLock {
                body(&current)
                condition.broadcast()
            }
        }

        /// - Returns: whether that was so before the deadline.
        func wait(seconds: TimeInterval, until holds: (Said) throws -> Bool) rethrows -> Bool {
            let deadline = Date(timeIntervalSinceNow: seconds)
            return try condition.withLock {
                while try !holds(current) {
                    guard condition.wait(until: deadline) else { return false }
                }
                return true
            }
        }
    }
}

extension Process {
    fileprivate static let starting = NSLock()

    /// Starts while no other does. Foundation looks which files are open before it makes a process: a stream that another
    /// start opens in between would be inherited, and each would wait for the other's end.
    func start() throws { try Self.starting.withLock { try run() } }
}
