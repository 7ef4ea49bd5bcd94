import Atmosphere
import Foundation
import Testing

@Suite("Secrets") struct SecretSourceTests {
    private static let folder = FileManager.default.temporaryDirectory

    /// Runs `body` with a file of this text and mode in a directory of its own.
    private func withFile(_ text: String, mode: Int = 0o600, _ body: (String) throws -> Void) throws {
        let folder = Self.folder.appending(path: "atmosphere-secrets-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "secrets")
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        try body(file.path)
    }

    @Test("the environment goes before the file")
    func environmentFirst() throws {
        try withFile("A=file\nB=file\nC = 'spaced = kept' \r\n# D=x\n\nE=\nE=second\n") { (path: String) throws in
            let source = SecretSource(environment: ["A": "environment", "B": ""], file: path)
            #expect(try source.secret(SecretName("A")).value == "environment")
            #expect(try source.secret(SecretName("B")).value == "file")
            #expect(try source.secret(SecretName("C")).value == "spaced = kept")
            #expect(try source.secret(SecretName("E")).value == "second")
            #expect(throws: SecretError.self) { try source.secret(SecretName("D")) }
        }
    }

    @Test("a file that others may read is refused with the remedy", arguments: [0o640, 0o604, 0o660, 0o610])
    func notPrivate(mode: Int) throws {
        try withFile("A=hunter2\n", mode: mode) { (path: String) throws in
            let source = SecretSource(environment: ["B": "b"], file: path)
            #expect(try source.secret(SecretName("B")).value == "b")
            let error = #expect(throws: SecretError.self) { try source.secret(SecretName("A")) }
            #expect(error?.code == .notPrivate)
            #expect(error?.message == "the secrets file \(path) can be read by others: run chmod 600 \(path)")
        }
    }

    @Test("a missing secret names the variable, the file and the place in the route file")
    func missing() throws {
        struct Nothing: RoutingStyle {
            var name: String { "nothing" }
            var document: String {
                #"{"list": {"path": "a"}, "read": null, "create": null, "update": null, "delete": null}"#
            }
        }
        let text =
            #"{"atmosphere": 1, "style": "nothing", "base": "https://a", "secrets": {"file": ".env"}, "resources": {"a": {}},\#n "auth": {"basic": {"username": "secret:USER", "password": "secret:TOKEN"}}}"#
        let file = try RouteFile.load(
            bytes: Array(text.utf8), source: "/nowhere/a.json", adapters: [.style(Nothing())])
        let source = SecretSource(for: file, environment: [:])
        let error = #expect(throws: SecretError.self) { try source.secret(SecretName("TOKEN")) }
        #expect(error?.code == .missing)
        #expect(
            error?.message
                == "secret:TOKEN (/nowhere/a.json:2:60) is not set: add a line TOKEN=… to /nowhere/.env, or set "
                + "TOKEN in the environment")
        let bare = #expect(throws: SecretError.self) {
            try SecretSource(environment: [:]).secret(SecretName("TOKEN"))
        }
        #expect(
            bare?.message == "secret:TOKEN is not set: set TOKEN in the environment, or name a secrets file: "
                + "secrets: { file: FILE }")
    }

    @Test("a line that is no assignment is refused without being repeated")
    func malformed() throws {
        // Behind the line that was looked for, too: whoever wrote it meant another secret.
        for (first, line) in [("# comment", 2), ("A=found\n\n#", 4)] {
            try withFile("\(first)\nhunter2\n") { (path: String) throws in
                let error = #expect(throws: SecretError.self) {
                    try SecretSource(environment: [:], file: path).secret(SecretName("A"))
                }
                #expect(error?.message == "\(path):\(line): a line must be NAME=value")
            }
        }
    }

    @Test("a name with two values is refused with both lines, and nothing of the values")
    func twice() throws {
        try withFile("A=hunter2\nB=b\n\n A = hunter3\nB=\n") { (path: String) throws in
            let source = SecretSource(environment: [:], file: path)
            let error = #expect(throws: SecretError.self) { try source.secret(SecretName("A")) }
            #expect(error?.code == .malformed)
            #expect(error?.message == "\(path):4: A stands on line 1 already; keep one of the two lines")
            #expect(try source.secret(SecretName("B")).value == "b")
        }
    }

    @Test("a folder is no secrets file")
    func folder() throws {
        let error = #expect(throws: SecretError.self) {
            try SecretSource(environment: [:], file: Self.folder.path).secret(SecretName("A"))
        }
        #expect(error?.code == .unreadable)
    }

    @Test("printing a secret shows nothing of it")
    func redaction() {
        let secret = Secret("hunter2")
        var dumped = ""
        dump(["key": secret], to: &dumped)
        #expect(!["\(secret)", String(reflecting: secret), "\([secret])", dumped].contains { $0.contains("hunter2") })
    }
}
