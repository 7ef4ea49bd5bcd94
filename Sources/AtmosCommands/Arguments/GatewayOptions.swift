#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereGateway
    internal import Foundation
    internal import Synchronization

    /// Where a gateway listens, who may ask it, and what it does by itself: of `gateway` and of `studio`.
    struct GatewayOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "The address to listen on; one that other machines can reach needs --certificate.",
                valueName: "address"))
        var listen = "127.0.0.1"

        @Option(
            help: ArgumentHelp(
                "The port, 0 for any free one; by default 8770, and any free one for atmos studio.", valueName: "p"))
        var port: Int?

        @Option(help: ArgumentHelp("The certificate chain in PEM; makes it https.", valueName: "file"))
        var certificate: String?

        @Option(help: ArgumentHelp("The certificate's private key in PEM.", valueName: "file"))
        var key: String?

        @Option(help: ArgumentHelp("A name of this machine that the certificate has; may be given again."))
        var name: [String] = []

        @Option(
            help: ArgumentHelp(
                "A file with the token, for its owner alone; made with a new one where it is not there.",
                valueName: "file"))
        var tokenFile: String?

        @Option(
            help: ArgumentHelp("The origin of a web page that may ask, too; may be given again.", valueName: "url"))
        var allowOrigin: [String] = []

        @Option(help: ArgumentHelp("A folder with pages of yours, served at /.", valueName: "folder"))
        var pages: String?

        @Option(
            name: .customLong("socket-io"),
            help: ArgumentHelp("A port for the events over Socket.IO, too; 0 for any free one.", valueName: "p"))
        var socketIO: Int?

        @Flag(help: "Change nothing, send nothing.")
        var readOnly = false

        @Flag(help: "Push and pull by itself, and follow live updates.")
        var watch = false

        @Option(
            help: ArgumentHelp("How often to ask the server, with --watch.", valueName: "duration"),
            transform: GatewayOptions.duration)
        var interval: Duration?

        @Option(help: ArgumentHelp("The most connections at a time.", valueName: "n"))
        var connections = 512

        @Option(help: ArgumentHelp("The most event streams at a time.", valueName: "n"))
        var eventStreams = 256

        func validate() throws {
            guard (0...65_535).contains(port ?? 0), (0...65_535).contains(socketIO ?? 0) else {
                throw ValidationError("--port and --socket-io take a number from 0 to 65535")
            }
            guard [connections, eventStreams].allSatisfy((1...1_000_000).contains) else {
                throw ValidationError("--connections and --event-streams take a number from 1 to 1000000")
            }
            if interval != nil, !watch { throw ValidationError("--interval has no use without --watch") }
            if watch, readOnly { throw ValidationError("--watch sends what waits, which --read-only forbids") }
        }

        private static func duration(_ text: String) throws -> Duration {
            if let duration = NumberText.duration(text), duration >= .seconds(1) { return duration }
            throw ValidationError("--interval takes a duration of a second or more, such as 90s, 5m or PT1H")
        }

        /// - Throws: ``CommandFailure`` for a folder of pages that is none, ``GatewayError`` for a file of a token.
        func gateway(port: Int) throws -> Gateway.Options {
            var options = Gateway.Options(host: listen, port: port)
            options.names = name
            options.certificate = certificate
            options.key = key
            options.origins = allowOrigin
            options.isReadOnly = readOnly
            options.socketIO = socketIO
            options.connections = connections
            options.eventStreams = eventStreams
            options.eventStreamsPerCaller = max(1, eventStreams / 2)
            options.version = BuildVersion.number
            options.token = try tokenFile.map { try Gateway.token(inFile: $0) }
            if watch { options.triggers = .init(interval: interval ?? .seconds(60)) }
            if let pages {
                var isFolder: ObjCBool = false
                guard FileManager.default.fileExists(atPath: pages, isDirectory: &isFolder), isFolder.boolValue else {
                    throw CommandFailure.usage("--pages \(pages): there is no such folder; name the one of your pages")
                }
                options.pages = pages
            }
            return options
        }
    }

    extension Gateway.Address {
        /// With the token, to a page.
        fileprivate func link(to page: String) -> String { "\(url)\(page)?token=\(token)" }

        /// The link, and where events are told over Socket.IO.
        fileprivate func text(_ page: String) -> String {
            link(to: page) + (socketIO.map { "\nSocket.IO: \($0)" } ?? "")
        }

        fileprivate func json(_ page: String) -> Value {
            var members: Value.Members = ["url": .string(url), "link": .string(link(to: page))]
            if let socketIO { members["socketIO"] = .string(socketIO) }
            return .object(members)
        }
    }

    extension AtmosCommand {
        /// Serves until the command is ended.
        ///
        /// - Parameters:
        ///   - page: the path that the link leads to.
        ///   - onReady: called with the address once the gateway listens.
        func serve(
            _ options: GatewayOptions, _ output: Output, port: Int, page: String = "/",
            onReady: @escaping @Sendable (Gateway.Address) -> Void = { _ in }
        ) async throws {
            let options = try options.gateway(port: port)
            let network = Mutex<OfflineSwitch?>(nil)
            let wrapping: @Sendable (any Transport) -> any Transport = { transport in
                let wrapped = transport.switchable()
                network.withLock { $0 = wrapped }
                return wrapped
            }
            try await withSynchronizer(output, wrapping: wrapping) { synchronizer in
                let gateway = try Gateway(synchronizer, options: options, network: network.withLock { $0 })
                try await gateway.run { address in
                    // Whoever does not listen for the address may still use the gateway.
                    try? output.isJSON ? output.json(address.json(page)) : output.line(address.text(page))
                    if network.withLock({ $0?.isOffline }) == true {
                        output.warning(
                            "the gateway works offline, as the one before it was left: nothing is sent until somebody turns "
                                + "the switch in Studio, or PUT /v1/network")
                    }
                    onReady(address)
                }
            }
        }
    }
#endif
