import AtmospherePlain
import Foundation
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("What a route file may do") final class RouteFilePowersTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "atmosphere-powers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "api"), withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func load(
        _ top: String, base: String = "https://api.example.com/v1", resource: String = "{}", name: String = "tasks.json"
    ) throws -> RouteFile {
        let text =
            #"{"atmosphere": 1, "base": "\#(base)", \#(top.isEmpty ? "" : top + ",") "resources": {"tasks": \#(resource)}}"#
        return try RouteFile.load(
            bytes: Array(text.utf8), source: folder.appending(path: "api/\(name)").path, adapters: [.plain])
    }

    private static let bearer = #""auth": {"bearer": "secret:TOKEN"}"#
    private static let session = """
        "auth": {"session": {"post": "login", "fields": {"name": "a"}, "token": {"body": "$.t"}},
        "tokens": {"load": ["sh", "-c", "id>PWNED"], "save": ["cat"]}}
        """

    @Test("a file that only sends requests without credentials to its base has no powers")
    func none() throws {
        for top in [
            "", #""auth": "none""#, #""store": {"kind": "memory"}"#, #""store": {"path": "data/tasks.db"}"#,
            #""secrets": {"file": "/etc/secrets"}"#, #""transport": {"timeout": "5s"}"#, #""headers": {"X-A": "1"}"#
        ] {
            let file = try load(top)
            #expect(file.powers == [] && file.powersDigest == nil, "\(top): \(file.powers)")
        }
    }

    @Test(
        "each power is told in one line",
        arguments: [
            (bearer, ["sends secret:TOKEN to https://api.example.com/v1"]),
            (
                bearer + #", "secrets": {"file": "/home/ann/.secrets"}"#,
                ["sends secret:TOKEN to https://api.example.com/v1", "reads secrets from /home/ann/.secrets"]
            ),
            (
                #""auth": {"basic": {"username": "secret:USER", "password": "secret:PASSWORD"}, "key": {"header": "X-Key", "value": "secret:KEY"}}"#,
                ["USER", "PASSWORD", "KEY"].map { "sends secret:\($0) to https://api.example.com/v1" }
            ),
            (
                session,
                [
                    "runs sh -c 'id>PWNED' to load tokens", "runs cat to save tokens",
                    "keeps tokens in what these programs keep and sends them to https://api.example.com/v1"
                ]
            ),
            (
                #""auth": {"oauth2": {"grant": "refresh_token", "token": "https://id.example.com/token", "client": {"id": "secret:ID", "secret": "secret:PROOF"}, "refresh": "secret:REFRESH"}, "tokens": {"file": "/home/ann/.tokens"}}"#,
                ["ID", "PROOF", "REFRESH"].map { "sends secret:\($0) to https://id.example.com/token" } + [
                    "signs in at https://id.example.com/token",
                    "keeps tokens in /home/ann/.tokens and sends them to https://api.example.com/v1"
                ]
            ),
            (
                #""live": {"url": "wss://push.example.com", "key": "secret:PUSH", "proxy": "http://proxy:1", "certificates": "/ca.pem"}"#,
                [
                    "connects to wss://push.example.com through http://proxy:1",
                    "sends secret:PUSH to wss://push.example.com", "trusts the certificates in /ca.pem"
                ]
            ),
            (#""store": {"path": "/home/ann/other.db"}"#, ["reads and writes /home/ann/other.db"]),
            (#""transport": {"kind": "replay", "path": "/home/ann/day.cassette"}"#, ["reads /home/ann/day.cassette"])
        ])
    func powers(_ top: String, _ lines: [String]) throws {
        let file = try load(top)
        #expect(file.powers == lines)
        #expect(file.powersDigest?.count == 64)
    }

    @Test("what lies outside the folder is told, by dots and by symbolic links as well")
    func outside() throws {
        let other = folder.appending(path: "other").path
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
        #expect(try load(#""store": {"path": "../other/x.db"}"#).declaredPowers.map(\.kind) == [.write])
        #expect(try load(#""store": {"path": "../api/x.db"}"#).powers == [])
        #expect(try load(#""store": {"path": "new/../../other/x.db"}"#).declaredPowers.map(\.kind) == [.write])
        for (link, target) in [("link", "../other"), ("gone", "../other/not-there"), ("log.db.log", "../other/x")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "api/\(link)").path, withDestinationPath: target)
        }
        for path in ["link/x.db", "gone", "log.db"] {
            #expect(try load(#""store": {"path": "\#(path)"}"#).declaredPowers.map(\.kind) == [.write], "\(path)")
        }
    }

    @Test(
        "a path with a mark behind a slash, which hides the slash, is told as if it led outside",
        arguments: ["sub/\u{301}t.db", "../\u{301}up.db", "\u{200D}t.db", "data/\u{20DD}/t.db"])
    func hiddenSlash(path: String) throws {
        #expect(try load(#""store": {"path": "\#(path)"}"#).powers.count == 1)
        #expect(try load(#""transport": {"kind": "replay", "path": "\#(path)"}"#).powers.count == 1)
    }

    @Test("a program that is a named pipe counts by its place, and nobody waits for it", .timeLimit(.minutes(1)))
    func pipe() throws {
        let path = folder.appending(path: "api/token.fifo").path
        #expect(mkfifo(path, 0o600) == 0)
        let file = try load(Self.session.replacing(#""cat""#, with: "\"\(path)\""))
        #expect(file.powersDigest != nil)
    }

    @Test("of two programs whose names are of the same characters each counts")
    func equivalentPrograms() throws {
        let names = ["K", "\u{212A}"].map { folder.appending(path: "api/tool-").path + $0 }
        let top = """
            "auth": {"session": {"post": "login", "fields": {"name": "a"}, "token": {"body": "$.t"}},
            "tokens": {"load": ["\(names[0])"], "save": ["\(names[1])"]}}
            """
        for name in names { try Data("one".utf8).write(to: URL(filePath: name)) }
        var known = [try load(top).powersDigest]
        for name in names {
            try Data("two".utf8).write(to: URL(filePath: name))
            known.append(try load(top).powersDigest)
        }
        #expect(Set(known).count == 3)
    }

    @Test("the folder of a route file whose name begins with a mark is the one that it lies in")
    func markedName() throws {
        try FileManager.default.createDirectory(
            at: folder.appending(path: "other"), withIntermediateDirectories: false)
        let store = #""store": {"path": "\#(folder.path)/other/x.db"}"#
        #expect(try load(store, name: "\u{301}tasks.json").declaredPowers.map(\.kind) == [.write])
    }

    @Test("a quote with a mark behind it is quoted as any other")
    func markedQuote() throws {
        let top = Self.session.replacing("id>PWNED", with: "'\u{301}a b")
        let text = try #require(try load(top).powers.first)
        #expect(text.utf8.elementsEqual("runs sh -c ''\\''\u{301}a b' to load tokens".utf8))
    }

    #if os(Linux)
        @Test("a folder is not inside another one whose name is canonically equivalent")
        func equivalentFolders() throws {
            let folders = ["caf\u{E9}", "cafe\u{301}"].map { "\(folder.path)/\($0)" }
            for folder in folders {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            }
            #expect(FilePlace.isInside("\(folders[0])/x", folders[0]))
            #expect(!FilePlace.isInside("\(folders[1])/x", folders[0]) && !FilePlace.isInside(folders[1], folders[0]))
        }
    #endif

    private func link(_ name: String, to target: String) throws {
        let path = folder.appending(path: "api/\(name)")
        try FileManager.default.createDirectory(
            at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? FileManager.default.removeItem(at: path)
        try FileManager.default.createSymbolicLink(atPath: path.path, withDestinationPath: target)
    }

    @Test(
        "a link where the store keeps something is a power, wherever in its folders it stands",
        arguments: [
            "tasks.db.contents/cache", "tasks.db.contents/cache/part-1", "tasks.db.contents/.lock", "tasks.db.contents",
            "tasks.db.log.1", "tasks.db.live", "tasks.db-journal", "tasks.db.salvaged", "tasks.db.tokens.new",
            "tasks.db/journal.jsonl", "tasks.db/entities", "tasks.db/entities/tasks.jsonl", "tasks.db/a/b/c/d"
        ])
    func linkInStore(name: String) throws {
        try FileManager.default.createDirectory(
            at: folder.appending(path: "other"), withIntermediateDirectories: false)
        let store = #""store": {"path": "tasks.db"}"#
        for target in [folder.appending(path: "other").path, folder.appending(path: "other/not-there").path] {
            try link(name, to: target)
            let powers = try load(store).declaredPowers
            #expect(powers.map(\.kind) == [.write], "\(target)")
            let shown = folder.appending(path: "api/\(name)").path
            let place = try #require(FilePlace.destination(target))
            #expect(powers.map(\.text) == ["reads and writes \(shown), which leads to \(place)"])
        }
        // Inside the folder it leads nowhere else.
        try FileManager.default.createDirectory(
            at: folder.appending(path: "api/elsewhere"), withIntermediateDirectories: false)
        try link(name, to: folder.appending(path: "api/elsewhere").path)
        #expect(try load(store).powers == [])
    }

    @Test("a file whose name hides its slash leads where its link leads", arguments: ["sec", "\u{301}sec"])
    func hiddenSlash(name: String) throws {
        let place = folder.appending(path: "api/conf")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let file = place.path + "/" + name
        try Data("A=1\n".utf8).write(to: URL(filePath: file))
        let top = Self.bearer + #", "secrets": {"file": "conf/\#(name)"}"#
        let before = try load(top).powersDigest
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/etc/hostname")
        let after = try load(top)
        #expect(after.powersDigest != before)
        #expect(after.powers.contains { $0.hasSuffix(", which leads to /etc/hostname") }, "\(after.powers)")
    }

    @Test("a program whose path comes through the folder counts by its content, wherever a link leads from there")
    func programThroughLink() throws {
        for (name, text) in [("one", "1"), ("two", "2")] {
            let tools = folder.appending(path: name)
            try FileManager.default.createDirectory(at: tools, withIntermediateDirectories: false)
            try Data(text.utf8).write(to: tools.appending(path: "load"))
        }
        let program = folder.appending(path: "api/tools/load").path
        let top = Self.session.replacing(#"["sh", "-c", "id>PWNED"]"#, with: #"["\#(program)"]"#)
        var digests: Set<String?> = []
        for name in ["one", "two"] {
            try link("tools", to: "../\(name)")
            digests.insert(try load(top).powersDigest)
        }
        #expect(digests.count == 2)
    }

    @Test("a link behind a link that stays in the folder is found, and links of other names and circles are none")
    func linkBehindLink() throws {
        let store = #""store": {"path": "tasks.db"}"#
        try link("tasks.dbx", to: "/tmp")
        try link("other/tasks.db", to: "/tmp")
        try link("tasks.db.contents/around", to: "..")
        try link("more/deep", to: "/tmp")
        #expect(try load(store).powers.allSatisfy { $0.contains("tasks.db.contents/around/") })
        try FileManager.default.removeItem(at: folder.appending(path: "api/tasks.db.contents"))
        #expect(try load(store).powers == [])
        try link("tasks.db.contents/cache", to: "../more")
        #expect(try load(store).declaredPowers.map(\.kind) == [.write])
    }

    @Test(
        "another place that a link leads to is another power",
        arguments: [
            (#""store": {"path": "tasks.db"}"#, "tasks.db"), (#""store": {"path": "tasks.db"}"#, "tasks.db.contents"),
            (#""store": {"path": "tasks.db"}"#, "tasks.db.contents/cache"),
            (#""store": {"path": "data/tasks.db"}"#, "data"),
            (#""transport": {"kind": "replay", "path": "day.cassette"}"#, "day.cassette"),
            (bearer + #", "secrets": {"file": ".secrets"}"#, ".secrets"),
            (
                #""live": {"url": "wss://push.example.com", "key": "secret:PUSH", "certificates": "ca.pem"}"#, "ca.pem"
            ),
            (
                session.replacing(#", "save": ["cat"]}"#, with: "}").replacing(
                    #""load": ["sh", "-c", "id>PWNED"]"#, with: #""file": "my.tokens""#), "my.tokens"
            )
        ])
    func retarget(top: String, name: String) throws {
        var seen: Set<String?> = [nil]
        for target in ["a", "b", "c/d"] {
            let up = String(repeating: "../", count: name.split(separator: "/").count)
            try link(name, to: up + target)
            let file = try load(top)
            #expect(seen.insert(file.powersDigest).inserted, "\(file.powers)")
            #expect(try load(top).powersDigest == file.powersDigest)
            let place = folder.appending(path: target).path
            #expect(file.powers.contains { $0.contains(place) }, "\(file.powers)")
            // Nothing new where the program makes what was missing.
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            #expect(try load(top).powersDigest == file.powersDigest)
        }
    }

    @Test("the digest follows what the file may do, and nothing else")
    func digest() throws {
        let usual = try load(Self.bearer).powersDigest
        // A mapping, a name, another order.
        #expect(try load(Self.bearer + #", "limits": {"rate": "1/s"}"#).powersDigest == usual)
        #expect(try load(#""name": "other","# + Self.bearer).powersDigest == usual)
        #expect(try load(Self.bearer, resource: #"{"path": "my/tasks", "deletes": "absent"}"#).powersDigest == usual)
        var seen: Set<String?> = [nil, usual]
        for file in [
            try load(Self.bearer, base: "https://api.example.org/v1"), try load(Self.bearer, name: "other.json"),
            try load(#""auth": {"bearer": "secret:OTHER"}"#), try load(#""auth": {"token": "secret:TOKEN"}"#),
            try load(Self.bearer + #", "secrets": {"file": "mine"}"#),
            try load(Self.bearer + #", "live": {"url": "wss://push.example.com", "key": "secret:TOKEN"}"#),
            try load(Self.bearer + #", "store": {"path": "/elsewhere.db"}"#), try load(Self.session),
            try load(Self.session.replacing("PWNED", with: "OTHER")),
            try load(Self.session.replacing(#""name": "a""#, with: #""name": "b""#)),
            try load(
                Self.bearer,
                resource:
                    #"{"attachments": {"file": {"download": {"url": "$"}, "origins": "https://files.example.com"}}}"#)
        ] {
            #expect(seen.insert(file.powersDigest).inserted, "\(file.powers)")
        }
    }

    @Test("a program in the file's own folder is allowed as it is, and not as it will be")
    func script() throws {
        let script = folder.appending(path: "api/token.sh")
        let top = Self.session.replacing(#"["sh", "-c", "id>PWNED"]"#, with: #"["sh", "\#(script.path)"]"#)
        try Data("echo a".utf8).write(to: script)
        let first = try load(top).powersDigest
        #expect(try load(top).powersDigest == first)
        try Data("echo b".utf8).write(to: script)
        #expect(try load(top).powersDigest != first)
        // One that is too large to be read for this counts by its last change.
        try Data(repeating: 35, count: 17 << 20).write(to: script)
        let large = try load(top).powersDigest
        #expect(large != first)
        try Data(repeating: 36, count: 17 << 20).write(to: script)
        #expect(try load(top).powersDigest != large)
    }

    @Test("a link in the file's own folder is allowed with the place that it leads to, and what stands there")
    func link() throws {
        let link = folder.appending(path: "api/helper")
        let scripts = ["a", "b"].map { folder.appending(path: $0) }
        for script in scripts { try Data("echo".utf8).write(to: script) }
        let top = Self.session.replacing(#"["sh", "-c", "id>PWNED"]"#, with: #"["sh", "\#(link.path)"]"#)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: scripts[0])
        let first = try load(top).powersDigest
        #expect(try load(top).powersDigest == first)
        try FileManager.default.removeItem(at: link)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: scripts[1])
        #expect(try load(top).powersDigest != first)
    }

    @Test(
        "a secret that would travel in the clear is a warning, with its place",
        arguments: [
            ("http://api.example.com", bearer, true), ("http://127.0.0.1:1", bearer, false),
            ("https://api.example.com", bearer, false), ("http://api.example.com", "", false),
            ("https://api.example.com", #""live": {"url": "ws://push.example.com", "key": "secret:PUSH"}"#, true),
            ("https://api.example.com", #""live": {"url": "ws://localhost:1", "key": "secret:PUSH"}"#, false)
        ])
    func clear(_ base: String, _ top: String, _ warns: Bool) throws {
        let warnings = try load(top, base: base).warnings
        #expect(warnings.count == (warns ? 1 : 0))
        #expect(warnings.allSatisfy { $0.contains("tasks.json:1:") && $0.contains(" in the clear") }, "\(warnings)")
    }
}
