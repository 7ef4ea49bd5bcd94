import Atmosphere
import Foundation
import Synchronization
import Testing

/// How many work at the same time.
private final class Turns: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }
    func begin() {
        counts.withLock {
            $0.now += 1
            $0.most = max($0.most, $0.now)
        }
    }
    func end() { counts.withLock { $0.now -= 1 } }
}

/// A file that waits a moment for its turn.
struct ImpatientTokenFile: TokenStorage {
    let file: TokenFile
    var name: String { file.name }

    init(_ file: TokenFile) { self.file = file }

    func load() async throws -> [UInt8]? { try await file.load() }
    func prepare() async throws { try await file.prepare() }
    func withdraw() async throws { try await file.withdraw() }
    func save(_ bytes: [UInt8]) async throws { try await file.save(bytes) }
    func remove() async throws { try await file.remove() }
    func lock() async throws -> HeldLock { try await file.lock(within: .milliseconds(20)) }
}

@Suite("Where tokens are kept", .timeLimit(.minutes(5))) struct TokenStorageTests {
    @Test("a file: mode 0600 whatever was there, replaced as a whole, gone when removed")
    func file() async throws {
        let folder = try TemporaryFolder()
        let file = TokenFile(path: folder.file("tokens"))
        #expect(try await file.load() == nil)
        try await file.remove()
        try await file.prepare()
        #expect(try await file.load() == nil, "what is only prepared is nothing")
        try await file.withdraw()
        try await file.withdraw()
        #expect(folder.names == [])
        try await file.prepare()
        try await file.save(Array("one and a long one".utf8))
        try await file.prepare()
        try await file.save(Array("two".utf8))
        #expect(try await file.load() == Array("two".utf8))
        #expect(try folder.mode("tokens") == 0o600)
        #expect(folder.names == ["tokens"])
        try await file.remove()
        #expect(folder.names == [])
    }

    @Test("a file that others can read, or that is none, is refused")
    func refused() async throws {
        let folder = try TemporaryFolder()
        let file = TokenFile(path: folder.file("tokens"))
        try await file.save([1])
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        let error = await #expect(throws: StoreError.self) { try await file.load() }
        #expect(error?.message.contains("run chmod 600 \(file.path)") == true)
        try FileManager.default.removeItem(atPath: file.path)
        try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: false)
        await #expect(throws: StoreError.self) { try await file.load() }
        // Nobody leads the save elsewhere by a link.
        let other = TokenFile(path: folder.file("other"))
        try FileManager.default.createSymbolicLink(
            atPath: other.path + ".new", withDestinationPath: folder.file("victim"))
        await #expect(throws: StoreError.self) { try await other.save([1]) }
        #expect(!folder.names.contains("victim"))
    }

    @Test("a folder that cannot be written is noticed before anything is spent")
    func prepare() async throws {
        let file = TokenFile(path: "/nonexistent-folder/tokens")
        let error = await #expect(throws: StoreError.self) { try await file.prepare() }
        #expect(error?.message.contains("does the folder /nonexistent-folder exist?") == true)
    }

    @Test("one turn after another, also among storages of one process")
    func locks() async throws {
        let folder = try TemporaryFolder()
        let turns = Turns()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let lock = try await TokenFile(path: folder.file("tokens")).lock()
                    turns.begin()
                    await Task.yield()
                    turns.end()
                    lock.release()
                    lock.release()
                }
            }
            try await group.waitForAll()
        }
        #expect(turns.most == 1)
    }

    @Test("who is cancelled waits for no lock, and one that is not given back is told by its file")
    func lockHeld() async throws {
        let folder = try TemporaryFolder()
        let file = TokenFile(path: folder.file("tokens"))
        let held = try await file.lock()
        let waiting = Task { try await file.lock() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        let error = await #expect(throws: SyncError.self) {
            try await TokenFile(path: file.path, patience: .milliseconds(20)).lock()
        }
        await #expect(throws: SyncError.self) {
            try await TokenCommands(
                load: ["true"], save: ["true"], remove: [], lockFile: file.path + ".lock", patience: .milliseconds(20)
            ).lock()
        }
        #expect(error?.code == .unreachable && error?.mayHaveHappened == false)
        #expect(error?.message.contains(file.path + ".lock has been held by another process") == true)
        // It is no sign-in that is missing.
        let keeper = TokenKeeper(storage: ImpatientTokenFile(file), purpose: "p")
        let renewal = await #expect(throws: SyncError.self) {
            try await keeper.tokens { _ in SavedTokens(purpose: "p", access: "a", obtained: Timestamp(milliseconds: 0))
            }
        }
        #expect(renewal?.code == .unreachable)
        held.release()
        (try await file.lock()).release()
    }

    @Test("nothing is left beside a store where nobody is signed in")
    func nothingLeft() async throws {
        let folder = try TemporaryFolder()
        let keeper = TokenKeeper(storage: TokenFile(path: folder.file("tokens")), purpose: "p")
        let refused = SyncError(code: .signInNeeded, message: "nobody is signed in")
        await #expect(throws: SyncError.self) { try await keeper.tokens { _ in throw refused } }
        #expect(folder.names == ["tokens.lock"])
        await #expect(throws: SyncError.self) { try await keeper.replace { _ in throw refused } }
        try await keeper.checkStorage()
        #expect(folder.names == ["tokens.lock"])
        let offline = SyncError(code: .unreachable, message: "no network")
        await #expect(throws: SyncError.self) { try await keeper.tokens { _ in throw offline } }
        #expect(folder.names == ["tokens.lock"])
        try await keeper.replace { _ in SavedTokens(purpose: "p", access: "a", obtained: Timestamp(milliseconds: 0)) }
        #expect(folder.names == ["tokens", "tokens.lock"])
    }

    @Test("commands: bytes come back, nothing is nothing, and a failure names the program and no argument")
    func commands() async throws {
        let folder = try TemporaryFolder()
        let kept = folder.file("kept")
        let keeper = TokenCommands(
            load: ["cat", kept], save: ["sh", "-c", "umask 077; cat > \"$0\"", kept], remove: ["rm", kept],
            lockFile: folder.file("lock"))
        #expect(try await keeper.load() == nil)
        try await keeper.remove()
        try await keeper.save(Array("{\"a\":1}".utf8))
        #expect(try await keeper.load() == Array("{\"a\":1}\n".utf8))
        try await keeper.remove()
        #expect(try await keeper.load() == nil)
        (try await keeper.lock()).release()

        func message(_ load: [String], _ save: [String]) async throws -> String {
            let keeper = TokenCommands(load: load, save: save, remove: [], lockFile: folder.file("lock"))
            do {
                _ = try await keeper.load()
                try await keeper.save([1])
                return ""
            } catch let error as StoreError {
                return error.message
            }
        }
        let hidden = "an-argument"
        let missing = try await message(["no-such-program", hidden], ["cat"])
        #expect(missing.contains("“no-such-program”") && missing.contains("there is no program"))
        let failed = try await message(["true"], ["sh", "-c", "exit 7", hidden])
        #expect(failed.contains("ended with 7"))
        let endless = try await message(["sh", "-c", "head -c 200000 /dev/zero"], ["cat"])
        #expect(endless.contains("more than 65536 bytes"))
        for text in [missing, failed, endless] { #expect(!text.contains(hidden)) }
        // It may end without reading what it gets.
        let deaf = TokenCommands(load: ["true"], save: ["true"], remove: [], lockFile: folder.file("lock"))
        try await deaf.save([UInt8](repeating: 65, count: 60_000))
    }

    @Test("commands: what a program printed by its end counts, whoever it leaves behind with its standard output open")
    func leftBehind() async throws {
        let folder = try TemporaryFolder()
        let pid = folder.file("pid")
        let helper = "sleep 600 & echo $! >\"$0\"; echo token"
        let keeper = TokenCommands(
            load: ["sh", "-c", helper, pid], save: ["sh", "-c", helper, pid], remove: [], lockFile: folder.file("lock"))
        func end() throws {
            let text = try String(contentsOfFile: pid, encoding: .utf8).filter { !$0.isNewline }
            let helper = try #require(Int32(text))
            // It is still there: nobody has waited for its end.
            #expect(kill(helper, SIGKILL) == 0)
        }
        #expect(try await keeper.load() == Array("token\n".utf8))
        try end()
        try await keeper.save([65])
        try end()
    }

    @Test(
        "commands: a program that does not end is ended, and named",
        arguments: [
            ["sleep", "600"], ["sh", "-c", "exec 1>&-; exec sleep 600"], ["sh", "-c", "trap '' TERM; exec sleep 600"]
        ])
    func endless(_ command: [String]) async throws {
        let folder = try TemporaryFolder()
        let keeper = TokenCommands(
            load: command, save: command, remove: command, lockFile: folder.file("lock"), limit: .milliseconds(20))
        let runs: [@Sendable () async throws -> Void] = [
            { _ = try await keeper.load() }, { try await keeper.save([1]) }, { try await keeper.remove() }
        ]
        for run in runs {
            let error = await #expect(throws: StoreError.self) { try await run() }
            #expect(
                error?.message.hasPrefix("the command “\(command[0])” of auth.tokens did not end within") == true,
                "\(error?.message ?? "")")
        }
        let chatty = TokenCommands(load: ["yes"], save: ["true"], remove: [], lockFile: folder.file("lock"))
        let error = await #expect(throws: StoreError.self) { try await chatty.load() }
        #expect(error?.message.contains("more than 65536 bytes") == true)
    }

    @Test("commands: what was saved and cannot be read is an error, until it is forgotten")
    func lockedKeychain() async throws {
        let folder = try TemporaryFolder()
        let kept = folder.file("kept")
        let lockFile = folder.file("lock")
        let keeper = TokenCommands(
            load: ["cat", kept], save: ["sh", "-c", "cat > \"$0\"", kept], remove: ["rm", "-f", kept],
            lockFile: lockFile)
        try await keeper.save([65])
        let locked = TokenCommands(load: ["false"], save: ["true"], remove: ["true"], lockFile: lockFile)
        let error = await #expect(throws: StoreError.self) { try await locked.load() }
        #expect(error?.message.contains("without the tokens that were saved; unlock them") == true)
        #expect(try await keeper.load() == [65, 10])
        try await locked.remove()
        #expect(try await locked.load() == nil)
        // Whoever takes a turn changes nothing.
        try await keeper.save([66])
        (try await keeper.lock()).release()
        await #expect(throws: StoreError.self) { try await locked.load() }
        // Said once: nobody may be stuck with what somebody else has taken away.
        let closed = TokenCommands(load: ["false"], save: ["true"], remove: ["false"], lockFile: lockFile)
        let doubt = await #expect(throws: StoreError.self) { try await closed.remove() }
        #expect(doubt?.message.contains("the tokens may still be there") == true)
        try await closed.remove()
        #expect(try await closed.load() == nil)
    }

    @Test("by default the file stands beside the store")
    func places() {
        var store = StoreSettings()
        let usual = TokenSettings.file(nil)
        #expect(usual.storage(beside: "a/tasks.yaml", store: store).name == "the tokens file a/tasks.db.tokens")
        store.kind = "memory"
        #expect(usual.storage(beside: "tasks.yaml", store: store).name == "the tokens file tasks.tokens")
        #expect(
            TokenSettings.file(".t").storage(beside: "a/tasks.yaml", store: store).name == "the tokens file a/.t")
    }
}
