import AtmosphereTesting
import Foundation
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("The log beside the store") final class SyncLogFileTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "atmosphere-log-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var path: String { folder.appending(path: "tasks.db.log").path }

    private func entry(_ number: Int, isRoutine: Bool = false) -> SyncLogEntry {
        SyncLogEntry(
            time: Timestamp(milliseconds: Int64(number)), subject: "tasks/\(number)", message: "sent “\(number)”\n",
            isRoutine: isRoutine)
    }

    private func size(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }

    @Test("entries come back in their order, after another process has opened the file, and routine is left out")
    func order() throws {
        let first = SyncLogFile(path: path)
        #expect(first.entries() == [])
        first.append(entry(1))
        first.append(entry(2, isRoutine: true))
        let second = SyncLogFile(path: path)
        second.append(entry(3))
        first.append(entry(4))
        #expect(first.entries() == [entry(1), entry(3), entry(4)])
        #expect(second.entries() == first.entries())
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("a log that is a symbolic link is not written through, and one that others may read is taken from them")
    func links() throws {
        let other = folder.appending(path: "other").path
        try Data("mine".utf8).write(to: URL(filePath: other))
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
        SyncLogFile(path: path).append(entry(1))
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "mine")
        try FileManager.default.removeItem(atPath: path)
        try Data().write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        SyncLogFile(path: path).append(entry(1))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test("what steers a terminal or is not seen stands in the file as its escape, and comes back as it was")
    func unseen() throws {
        let file = SyncLogFile(path: path)
        let unseen = "\u{202E}\u{2066}\u{9B}\u{7F}\u{1B}\u{200B}\u{FEFF}\u{AD}\u{2028}\u{E0041}"
        let entry = SyncLogEntry(
            time: Timestamp(milliseconds: 1), subject: "tasks/\(unseen)", message: "Größe 👩‍👩‍👧\n\(unseen)")
        file.append(entry)
        #expect(file.entries() == [entry])
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(!text.dropLast().unicodeScalars.contains { UnseenText.contains($0.value) })
        #expect(text.contains("Größe 👩‍👩‍👧\\n"), "what is seen stays as it is")
        #expect(
            text.contains(#"tasks/\u202e\u2066\u009b\u007f\u001b\u200b\ufeff\u00ad\u2028\udb40\udc41"#), "\(text)")
    }

    @Test("two files within the limit are all that there ever is, and hold the newest entries")
    func bounded() throws {
        // Two writers put the file aside in turn, and neither loses what the other wrote.
        let files = [SyncLogFile(path: path, limit: 2000), SyncLogFile(path: path, limit: 2000)]
        for number in 1...500 { files[number % 2].append(entry(number)) }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.sorted() == ["tasks.db.log", "tasks.db.log.1"])
        for name in names { #expect(try size(folder.appending(path: name).path) <= 2000) }
        let left = files[0].entries()
        #expect(left.count > 30)
        #expect(left == (501 - left.count...500).map { entry($0) })
    }

    @Test("many writers at once write whole lines")
    func concurrent() async throws {
        let path = path
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    let file = SyncLogFile(path: path, limit: 20_000)
                    for number in 0..<100 {
                        file.append(
                            SyncLogEntry(
                                time: Timestamp(milliseconds: 0), subject: "tasks/\(writer)", message: "line \(number)")
                        )
                    }
                }
            }
        }
        let text = try ["", ".1"].map { ending in
            FileManager.default.fileExists(atPath: path + ending)
                ? try String(contentsOfFile: path + ending, encoding: .utf8) : ""
        }.joined()
        let lines = text.split(separator: "\n")
        #expect(SyncLogFile(path: path, limit: 20_000).entries().count == lines.count)
        #expect(lines.count == 400)
    }

    @Test("a line that was cut is left out, and a folder that cannot be written stops nothing")
    func damage() throws {
        let file = SyncLogFile(path: path)
        file.append(entry(1))
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(#"{"time":2,"subj"#.utf8 + [10]))
        try handle.close()
        file.append(entry(3))
        #expect(file.entries() == [entry(1), entry(3)])
        let nowhere = SyncLogFile(path: folder.appending(path: "no/such/folder.log").path)
        nowhere.append(entry(1))
        #expect(nowhere.entries() == [])
    }

    @Test("a synchronizer keeps its log at the path that it is given, and gives it back; without a path there is none")
    func entries() async throws {
        let world = try await TinyWorld()
        let synchronizer = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store, transport: world.server.transport,
            style: TinyWorld.TinyStyle(), environment: TinyWorld.environment(), logPath: path)
        try await synchronizer.save(["title": "Milk"], as: "tasks")
        try await synchronizer.push()
        #expect(synchronizer.logEntries().contains { $0.subject.hasPrefix("tasks/") })
        #expect(synchronizer.logEntries() == SyncLogFile(path: path).entries())
        #expect(world.synchronizer.logEntries().isEmpty)
    }
}
