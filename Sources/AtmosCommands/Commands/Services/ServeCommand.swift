#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereNotifications
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif
    #if canImport(Darwin)
        internal import Darwin
    #elseif canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #endif

    struct ServeCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "serve",
            abstract: "Serve live updates: publishers post them, Socket.IO clients get them.",
            discussion: """
                Prints its URL and runs until SIGINT or SIGTERM; then it takes no more clients and lets the others go. \
                A key file has lines of KEY NAME and, for clients, the rooms that NAME may join; it is read again when it \
                changes, and who has a key that is gone is disconnected. Tokens are JSON Web Tokens with sub, exp and \
                perhaps rooms.

                EXAMPLE
                  atmos serve --publishers publishers.keys --clients clients.keys --port 8765
                  curl -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
                    -d '{"to": ["ann"], "uri": {"entity": "tasks", "id": "7"}}' \\
                    http://127.0.0.1:8765/update
                """)

        @OptionGroup var global: GlobalOptions

        @Option(
            help: ArgumentHelp("The address to listen on; without --tls-certificate best one of this machine alone."))
        var host = "127.0.0.1"

        @Option(help: ArgumentHelp("The port; 0 for any free one.", valueName: "p"))
        var port = 8765

        @Option(help: ArgumentHelp("The keys of publishers.", valueName: "file"))
        var publishers: String?

        @Option(
            name: .customLong("publisher-token-key"),
            help: ArgumentHelp(
                "What signs the tokens of publishers, whose scope must have the word publish; may be given again.",
                discussion: "As --token-key.", valueName: "kind:file"))
        var publisherTokenKeys: [String] = []

        @Option(help: ArgumentHelp("The keys of clients.", valueName: "file"))
        var clients: String?

        @Option(
            name: .customLong("token-key"),
            help: ArgumentHelp(
                "What signs the tokens of clients; may be given again for a second key.",
                discussion: """
                    hs256:FILE with the secret, es256:FILE or rs256:FILE with the public key in PEM, which need --audience \
                    or --issuer.
                    """,
                valueName: "kind:file"))
        var tokenKeys: [String] = []

        @Option(
            help: ArgumentHelp(
                "What the tokens' aud must name.", discussion: "Without it tokens that have an aud are refused.",
                valueName: "name"))
        var audience: String?

        @Option(
            help: ArgumentHelp(
                "What the tokens' iss must be.",
                discussion: "Beside --audience, or in place of it where the issuer's tokens have no aud.",
                valueName: "name"))
        var issuer: String?

        @Option(
            help: ArgumentHelp(
                "Ask this service who a client is.",
                discussion: """
                    Gets a POST with {"token": …} and answers 200 with {"user": …, "rooms": […], "expires": …}, or 401.
                    """, valueName: "url"))
        var clientCallback: String?

        @Option(
            help: ArgumentHelp(
                "What the service of --client-callback gets as Authorization.", valueName: "secret:name"))
        var clientCallbackAuthorization: String?

        @Option(
            help: ArgumentHelp(
                "Share everything with other servers through this Redis.",
                discussion: """
                    redis://HOST:PORT/DATABASE or rediss:// for TLS, or secret:NAME for a secret that holds the whole URL.
                    """, valueName: "url"))
        var redis: String?

        @Option(help: ArgumentHelp("The password of Redis.", valueName: "secret:name"))
        var redisPassword: String?

        @Option(help: ArgumentHelp("Authorities in PEM to trust for Redis, not the system's.", valueName: "file"))
        var redisCa: String?

        @Option(help: ArgumentHelp("What all keys in Redis begin with; one for each group.", valueName: "name"))
        var redisPrefix = "atmosphere"

        @Option(
            help: ArgumentHelp(
                "Understand what a Socket.IO emitter writes to Redis; may be given again.",
                discussion: "socket.io or socket.io:KEY, python-socketio or python-socketio:CHANNEL.",
                valueName: "kind"))
        var emitters: [String] = []

        @Option(help: ArgumentHelp("Webhooks that are turned into updates.", valueName: "file"))
        var webhook: String?

        @Option(help: ArgumentHelp("A file of NAME=value for secret:NAME, beside the environment.", valueName: "file"))
        var secrets: String?

        @Option(help: ArgumentHelp("The events that are kept for clients that come back.", valueName: "n"))
        var window = 100_000

        @Option(help: ArgumentHelp("For how many seconds they are kept.", valueName: "s"))
        var windowTime = 600

        @Option(help: ArgumentHelp("About how many bytes they may take.", valueName: "n"))
        var windowBytes = 64 << 20

        @Option(help: ArgumentHelp("A web origin that may connect, * for all; may be given again.", valueName: "url"))
        var origin: [String] = []

        @Flag(help: "Take payload={\"data\":…,\"keys\":[…]} forms from publishers, too.")
        var forms = false

        @Option(help: ArgumentHelp("The certificate chain in PEM; makes it https and wss.", valueName: "file"))
        var tlsCertificate: String?

        @Option(help: ArgumentHelp("The certificate's private key in PEM.", valueName: "file"))
        var tlsKey: String?

        @Option(help: ArgumentHelp("The threads that serve clients.", valueName: "n"))
        var threads = 1

        @Option(
            help: ArgumentHelp(
                "The most clients at a time.",
                discussion: "50000, or as many as this process may have files open, if that is less.", valueName: "n"))
        var limit: Int?

        @Option(
            help: ArgumentHelp(
                "The most connections of one address that have brought no key yet.",
                discussion: "Behind a proxy all clients have its address: take the number of --limit then.",
                valueName: "n"))
        var newClients = 256

        @Option(
            help: ArgumentHelp(
                "The most clients of one user at a time; more wait until one has gone.",
                discussion: "Keys and tokens with one name are one user.", valueName: "n"))
        var userClients = 1000

        @Option(help: ArgumentHelp("How many seconds clients have to go at the end.", valueName: "s"))
        var grace = 10

        func validate() throws {
            guard (0...65_535).contains(port) else { throw ValidationError("--port takes a number from 0 to 65535") }
            guard (1...64).contains(threads) else { throw ValidationError("--threads takes a number from 1 to 64") }
            guard (0...3600).contains(grace) else { throw ValidationError("--grace takes a number up to 3600") }
            guard [limit ?? 1, newClients, userClients].allSatisfy((1...1_000_000).contains) else {
                throw ValidationError("--limit, --new-clients and --user-clients take a number from 1 to 1000000")
            }
            guard publishers != nil || !publisherTokenKeys.isEmpty else {
                throw ValidationError("say who may publish: --publishers FILE or --publisher-token-key KIND:FILE")
            }
            guard publishers == nil || publisherTokenKeys.isEmpty else {
                throw ValidationError("--publishers and --publisher-token-key exclude each other; give one of them")
            }
            guard audience == nil && issuer == nil || !tokenKeys.isEmpty || !publisherTokenKeys.isEmpty else {
                throw ValidationError("--audience and --issuer need --token-key or --publisher-token-key")
            }
            let isPublic = (tokenKeys + publisherTokenKeys).contains { key in
                ["es256:", "rs256:"].contains(where: key.hasPrefix)
            }
            guard audience != nil || issuer != nil || !isPublic else {
                throw ValidationError(
                    "an es256 or rs256 key alone takes every token of its issuer, also those for other services; give "
                        + "--audience NAME, or --issuer NAME where the issuer's tokens have no aud")
            }
            for origin in origin where !Self.isOrigin(origin) {
                throw ValidationError("--origin \(origin): give it as https://HOST or https://HOST:PORT, or * for all")
            }
            guard [clients != nil, !tokenKeys.isEmpty, clientCallback != nil].filter(\.self).count == 1 else {
                throw ValidationError(
                    "say who may connect: one of --clients FILE, --token-key KIND:FILE and --client-callback URL")
            }
            guard redis != nil || redisPassword == nil && redisCa == nil && emitters.isEmpty else {
                throw ValidationError("--redis-password, --redis-ca and --emitters need --redis")
            }
            guard window > 0, (1...86_400 * 30).contains(windowTime) else {
                throw ValidationError("--window takes a number above 0, --window-time one from 1 to 2592000")
            }
            guard windowBytes >= 4_000_000 else {
                throw ValidationError("--window-bytes takes a number from 4000000")
            }
            guard (tlsCertificate == nil) == (tlsKey == nil) else {
                throw ValidationError("--tls-certificate and --tls-key go together")
            }
        }

        /// As browsers write it (RFC 6454 §6.1): without a path, and without the port that goes without saying.
        private static func isOrigin(_ text: String) -> Bool {
            if text == "*" { return true }
            guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
            let host = text.dropFirst(scheme.count)
            return !host.isEmpty && !host.hasSuffix(scheme == "https://" ? ":443" : ":80")
                && host.allSatisfy { $0.isASCII && !$0.isUppercase && !"/?#@* ".contains($0) }
        }

        func run(_ output: Output) async throws {
            var watched: [WatchedKeys] = []
            let publisherAuthorizer: any ClientAuthorizer
            if let publishers {
                let keys = WatchedKeys(path: publishers, keys: try KeyFile(path: publishers))
                watched.append(keys)
                publisherAuthorizer = keys.ring
            } else {
                publisherAuthorizer = try tokenAuthorizer(
                    publisherTokenKeys, of: "--publisher-token-key", scope: "publish")
            }
            let authorizer: any ClientAuthorizer
            if let clients {
                let keys = WatchedKeys(path: clients, keys: try KeyFile(path: clients))
                watched.append(keys)
                authorizer = keys.ring
            } else if let clientCallback {
                authorizer = try callbackAuthorizer(clientCallback, output)
            } else {
                authorizer = try tokenAuthorizer(tokenKeys, of: "--token-key")
            }
            for file in secretFiles where KeyFile.isReadableByAll(file) {
                output.warning("\(file): every user of this machine can read it; take that away with chmod 600")
            }
            if tlsKey == nil, !Self.isLocal(host) {
                output.warning(
                    "--host \(host) without --tls-certificate: keys and messages go over the network in the clear; give a "
                        + "certificate, or leave nothing but a proxy that speaks TLS between clients and this port")
            }
            let broker = try redisBroker(output)
            var options = try options()
            if let room = OpenFiles.makeRoom(for: options.clients) {
                if let limit {
                    output.warning(
                        "--limit \(limit): this process may have files open for \(room) clients; the others will find no "
                            + "answer. Raise the hard limit (ulimit -Hn, LimitNOFILE of systemd)")
                } else {
                    options.clients = room
                }
            }
            let server = NotificationServer(
                options, clients: authorizer, publishers: publisherAuthorizer, broker: broker)
            let reading = broker.map { broker in Task { await broker.run() } }
            if let broker { await Self.wait(for: broker) }
            let port: Int
            do { port = try await server.start() } catch {
                reading?.cancel()
                throw CommandFailure(
                    code: "serve", ["cannot listen on \(host):\(self.port): \(error)"],
                    status: ExitStatus.failed)
            }
            let url = "\(tlsKey == nil ? "http" : "https")://\(host):\(port)"
            try output.isJSON ? output.json(["url": .string(url)]) : output.line(url)
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(1))
                for index in watched.indices {
                    switch watched[index].readAgain() {
                    case .same: break
                    case .replaced(let warning):
                        if let warning { output.warning(warning) }
                        server.checkClients()
                    case .problem(let problem): output.warning(problem)
                    }
                }
            }
            // The task is cancelled already; clients are let go all the same.
            let grace = Duration.seconds(grace)
            try await Task { try await server.shutDown(grace: grace) }.value
            reading?.cancel()
            await reading?.value
        }

        /// Who comes back as soon as the port is open finds what was missed. Where Redis is away, clients are kept waiting
        /// for it instead.
        private static func wait(for broker: RedisBroker) async {
            await withTaskGroup { group in
                group.addTask { await broker.ready() }
                group.addTask { try? await Task.sleep(for: .seconds(5)) }
                await group.next()
                group.cancelAll()
            }
        }

        /// Whether nobody else's machine can get there.
        private static func isLocal(_ host: String) -> Bool {
            host == "localhost" || host == "::1" || host.hasPrefix("127.")
        }

        private var secretFiles: [String] {
            let signing = (tokenKeys + publisherTokenKeys).filter { $0.hasPrefix("hs256:") }
            return [publishers, clients, tlsKey].compactMap(\.self) + signing.map { String($0.dropFirst(6)) }
        }

        private func options() throws -> NotificationServer.Options {
            var options = NotificationServer.Options(host: host, port: port)
            options.origins = Set(origin)
            options.takesForms = forms
            options.threads = threads
            if let limit { options.clients = limit }
            options.newClients = newClients
            options.clientsPerUser = userClients
            options.window = replayWindow
            options.webhooks = try webhooks()
            if let tlsCertificate, let tlsKey {
                do { try options.useTLS(certificate: tlsCertificate, key: tlsKey) } catch {
                    throw CommandFailure.usage("the certificate or its key cannot be read: \(error)")
                }
            }
            return options
        }
    }

    /// A key file that is read again when it changes.
    private struct WatchedKeys {
        let path: String
        let ring: KeyRing
        private var content: String?
        /// What was read last, where it is something else: it may be half written.
        private var next: String?
        private var isGone = false

        enum Reading {
            case same
            /// With a warning where no key is left.
            case replaced(String?)
            /// Why the old keys stay.
            case problem(String)
        }

        init(path: String, keys: KeyFile) {
            self.path = path
            ring = KeyRing(keys)
            content = try? KeyFile.content(path)
        }

        mutating func readAgain() -> Reading {
            guard let now = try? KeyFile.content(path) else {
                defer { isGone = true }
                return isGone ? .same : .problem("\(path): the file cannot be read any more; the old keys stay in use")
            }
            isGone = false
            guard now != content, now == next else {
                next = now
                return .same
            }
            content = now
            do {
                let keys = try KeyFile(now, name: path, mayBeEmpty: true)
                ring.replace(by: keys)
                return .replaced(keys.isEmpty ? "\(path): there is no key in it any more; nobody is let in" : nil)
            } catch { return .problem("\(error); the old keys stay in use") }
        }
    }

    extension KeyFile {
        fileprivate static func isReadableByAll(_ path: String) -> Bool {
            var status = stat()
            return stat(path, &status) == 0 && status.st_mode & 0o004 != 0
        }

        static func content(_ path: String) throws(CommandFailure) -> String {
            do { return try String(contentsOfFile: path, encoding: .utf8) } catch {
                throw .usage("\(path): the file cannot be read")
            }
        }

        fileprivate init(path: String) throws(CommandFailure) {
            let content = try Self.content(path)
            do { self = try KeyFile(content, name: path) } catch { throw .usage(error.description) }
        }
    }
#endif
