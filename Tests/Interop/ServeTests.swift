#if Command
    import Atmosphere
    import Foundation
    import Testing

    @Suite(
        "atmos serve", .serialized, .enabled(if: SocketIOPeer.isAvailable, "no Python with venv here"))
    struct ServeTests {
        private static let publisher = "publisher-0123456789"
        private static let ann = "ann-0123456789abcdef"
        private static let bob = "bob-0123456789abcdef"

        @Test("publishers and stock clients are served until SIGTERM, which lets the clients go")
        func serve() async throws {
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            let publishers = folder.appendingPathComponent("publishers.keys")
            let clients = folder.appendingPathComponent("clients.keys")
            try "\(Self.publisher) backend\n".write(to: publishers, atomically: true, encoding: .utf8)
            try "\(Self.ann) ann tasks/*\n\(Self.bob) bob tasks/*\n".write(
                to: clients, atomically: true, encoding: .utf8)
            let result = try await onOwnThread {
                let process = Process()
                process.executableURL = AtmosCommand.binary
                process.arguments = [
                    "serve", "--port", "0", "--publishers", publishers.path, "--clients", clients.path, "--forms"
                ]
                let output = Pipe()
                process.standardOutput = output
                try process.start()
                defer { kill(process.processIdentifier, SIGKILL) }
                let url = try Self.line(output)
                let (script, scriptOutput) = try SocketIOPeer.process(
                    "notifications.py", [url, Self.publisher, Self.ann, Self.bob])
                try script.start()
                let text = String(decoding: scriptOutput.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                script.waitUntilExit()
                let (stay, stayOutput) = try SocketIOPeer.process("stay.py", [url, Self.ann])
                try stay.start()
                let joined = try Self.line(stayOutput)
                kill(process.processIdentifier, SIGTERM)
                let left = try Self.line(stayOutput)
                stay.waitUntilExit()
                process.waitUntilExit()
                return (
                    status: script.terminationStatus, text: text, stay: [joined, left], end: process.terminationStatus
                )
            }
            #expect(result.status == 0, "\(result.text)")
            #expect(result.stay == ["joined", "disconnected"])
            #expect(result.end == 0)
        }

        @Test("with a certificate it speaks https and wss, and changed keys count without a restart")
        func tls() async throws {
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            let publishers = folder.appendingPathComponent("publishers.keys")
            let clients = folder.appendingPathComponent("clients.keys")
            let certificate = folder.appendingPathComponent("certificate.pem")
            let key = folder.appendingPathComponent("key.pem")
            try "\(Self.publisher) backend\n".write(to: publishers, atomically: true, encoding: .utf8)
            try "\(Self.ann) ann\n".write(to: clients, atomically: true, encoding: .utf8)
            let result = try await onOwnThread {
                let openssl = Process()
                openssl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                openssl.arguments = [
                    "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key.path, "-out", certificate.path
                ]
                openssl.standardError = Pipe()
                try openssl.start()
                openssl.waitUntilExit()
                try #require(openssl.terminationStatus == 0, "openssl makes no certificate")
                let process = Process()
                process.executableURL = AtmosCommand.binary
                process.arguments = [
                    "serve", "--port", "0", "--publishers", publishers.path, "--clients", clients.path,
                    "--tls-certificate", certificate.path, "--tls-key", key.path
                ]
                let output = Pipe()
                process.standardOutput = output
                process.standardError = FileHandle.nullDevice
                try process.start()
                defer { kill(process.processIdentifier, SIGKILL) }
                let url = try Self.line(output)
                let (script, scriptOutput) = try SocketIOPeer.process(
                    "tls.py", [url, certificate.path, publishers.path, Self.publisher, Self.ann])
                try script.start()
                let text = String(decoding: scriptOutput.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                script.waitUntilExit()
                return (url: url, status: script.terminationStatus, text: text)
            }
            #expect(result.url.hasPrefix("https://"))
            #expect(result.status == 0, "\(result.text)")
        }

        @Test("keys that are taken away, limits, tokens of publishers and options are minded")
        func edges() async throws {
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            let result = try await SocketIOPeer.run("edges.py", [AtmosCommand.binary.path, folder.path])
            #expect(result.status == 0, "\(result.output)")
        }

        @Test("no connection and no address takes more than its share, and what is on its way is answered")
        func floods() async throws {
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            let result = try await SocketIOPeer.run("floods.py", [AtmosCommand.binary.path, folder.path])
            #expect(result.status == 0, "\(result.output)")
        }

        private static func line(_ pipe: Pipe) throws -> String {
            var line = ""
            while let byte = try pipe.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
                line.append(Character(Unicode.Scalar(byte)))
            }
            return line
        }
    }
#endif
