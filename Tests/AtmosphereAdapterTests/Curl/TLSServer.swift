#if Curl
    import AtmosphereTesting
    import Foundation

    /// nginx with a certificate of an authority that nobody knows, which offers HTTP/2.
    final class TLSServer: Sendable {
        static let isAvailable = ["/usr/sbin/nginx", "/usr/bin/openssl"].allSatisfy {
            FileManager.default.isExecutableFile(atPath: $0)
        }

        let port: Int
        private let folder: URL
        private let nginx: Process

        var url: String { "https://localhost:\(port)" }
        /// The authority to trust.
        var authorities: String { folder.appending(path: "certificate.pem").path }
        /// Stops the server, which writes a line only after its answer, and gives one line per request: connection
        /// number, protocol, method, target.
        func finishedLog() -> [String] {
            nginx.terminate()
            nginx.waitUntilExit()
            let text = (try? String(contentsOf: folder.appending(path: "access.log"), encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map(String.init)
        }

        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "atmosphere-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // The workers of an nginx that root started run as somebody else.
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
            let openssl = try Self.start(
                "/usr/bin/openssl",
                "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost "
                    + "-addext subjectAltName=DNS:localhost -keyout \(folder.path)/key.pem "
                    + "-out \(folder.path)/certificate.pem")
            openssl.waitUntilExit()
            try String(repeating: "0123456789abcdef", count: 1 << 20).write(
                to: folder.appending(path: "long"), atomically: true, encoding: .utf8)
            try String(repeating: "0123456789", count: 32_600).write(
                to: folder.appending(path: "page"), atomically: true, encoding: .utf8)
            // A port that was free a moment ago.
            let probe = try FaultyServer { _ in }
            port = probe.port
            probe.stop()
            try """
            daemon off; worker_processes 1; pid \(folder.path)/pid; error_log \(folder.path)/error.log;
            events { worker_connections 512; }
            http {
              log_format short '$connection $server_protocol $request_method $request_uri';
              access_log \(folder.path)/access.log short;
              client_body_temp_path \(folder.path)/1; proxy_temp_path \(folder.path)/2;
              fastcgi_temp_path \(folder.path)/3; uwsgi_temp_path \(folder.path)/4; scgi_temp_path \(folder.path)/5;
              server {
                listen 127.0.0.1:\(port) ssl http2; root \(folder.path);
                ssl_certificate \(folder.path)/certificate.pem; ssl_certificate_key \(folder.path)/key.pem;
                location /empty { return 204; }
              }
            }
            """.write(to: folder.appending(path: "nginx.conf"), atomically: true, encoding: .utf8)
            nginx = try Self.start("/usr/sbin/nginx", "-c \(folder.path)/nginx.conf -e \(folder.path)/error.log")
        }

        deinit {
            if nginx.isRunning {
                nginx.terminate()
                nginx.waitUntilExit()
            }
            try? FileManager.default.removeItem(at: folder)
        }

        private static func start(_ program: String, _ arguments: String) throws -> Process {
            let process = Process()
            process.executableURL = URL(filePath: program)
            process.arguments = arguments.split(separator: " ").map(String.init)
            process.standardError = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            return process
        }
    }
#endif
