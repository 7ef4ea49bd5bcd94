#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    struct NotifyCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "notify",
            abstract: "Tell clients that an object has changed, or anything else, through the notification server.",
            discussion: """
                ENTITY/ID publishes an update: --attributes, --patch, --edits or --deleted say what has changed, and \
                none of them only that it has. Without ENTITY/ID, --data publishes a notification. The server and the \
                publisher's key are live.publish of the route file. Publishing again with the same --id changes nothing.

                EXAMPLE
                  atmos notify tasks/7 --to ann
                  atmos notify tasks/7 --to ann --attributes '{"title": "Milk"}' --version 12
                  atmos notify --room lists/1 --data '{"text": "dinner is ready"}'
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: ArgumentHelp("The object that has changed.", valueName: "entity/id"))
        var object: String?

        @Option(help: ArgumentHelp("A user who is told; may be given again.", valueName: "user"))
        var to: [String] = []

        @Option(help: ArgumentHelp("A room whose clients are told; may be given again.", valueName: "name"))
        var room: [String] = []

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("What a notification says: JSON, @FILE, or -.", valueName: "json"))
        var data: String?

        @Option(help: ArgumentHelp("Members as the API shows them: JSON, @FILE, or -.", valueName: "json"))
        var attributes: String?

        @Flag(help: "The --attributes are all that the object has, so that who does not have it need not ask for it.")
        var whole = false

        @Option(help: ArgumentHelp("A JSON merge patch (RFC 7396) of what --version has.", valueName: "json"))
        var patch: String?

        @Option(
            help: ArgumentHelp(
                "Edits of texts of what --version has: {field: [{at, delete, insert}]}, in Unicode scalars.",
                valueName: "json"))
        var edits: String?

        @Flag(help: "The object was deleted.")
        var deleted = false

        @Option(
            help: ArgumentHelp(
                "The version that it has now; with --patch and --edits the one that they were made from.",
                valueName: "text"))
        var version: String?

        @Option(help: ArgumentHelp("The version that --patch or --edits lead to.", valueName: "text"))
        var next: String?

        @Option(help: ArgumentHelp("What tells this message from others; a new one by default.", valueName: "text"))
        var id: String?

        func validate() throws {
            guard !to.isEmpty || !room.isEmpty else {
                throw ValidationError("say who is told: --to USER or --room NAME")
            }
            let contents = [attributes, patch, edits].compactMap { $0 }.count + (deleted ? 1 : 0)
            if let object {
                _ = try ObjectURI.argument(object)
                if data != nil { throw ValidationError("--data belongs to a notification, which has no ENTITY/ID") }
                if contents > 1 {
                    throw ValidationError("only one of --attributes, --patch, --edits and --deleted can be said")
                }
                if whole, attributes == nil { throw ValidationError("--whole belongs to --attributes") }
                if patch ?? edits != nil, version == nil {
                    throw ValidationError("--patch and --edits need the --version that they were made from")
                }
                if next != nil, patch ?? edits == nil { throw ValidationError("--next belongs to --patch and --edits") }
            } else {
                guard data != nil else { throw ValidationError("say what: ENTITY/ID, or --data JSON") }
                if contents > 0 || whole || version != nil || next != nil {
                    throw ValidationError("--attributes, --patch, --edits, --deleted and --version need ENTITY/ID")
                }
            }
        }

        func run(_ output: Output) async throws {
            let routeFile = try global.routeFile(output)
            guard let live = routeFile.live, let key = live.publishKey else {
                throw CommandFailure.usage(
                    "\(routeFile.source) says nothing of publishing: add live: { publish: { key: \"secret:NAME\" } }")
            }
            let secrets = SecretSource(for: routeFile, environment: ProcessInfo.processInfo.environment)
            let secret = try secrets.secret(key)
            let redaction = Redaction([secret])
            let path = object == nil ? "notification" : "update"
            var request = Request(method: "POST", url: "\(live.publishURL)/\(path)")
            request.headers["Content-Type"] = "application/json"
            request.headers["Authorization"] = "Bearer \(secret.value)"
            request.body = .bytes(Value.object(try message(routeFile)).json())
            // The id makes a second one harmless.
            request.mayRepeat = true
            let transport = try [Adapter].linked.transport(for: routeFile.transport)
            let reply = try await request.reply(over: transport, redaction, upTo: 1 << 20)
            guard reply.status == 200, let answer = (try? Value(json: reply.body))?.members else {
                let detail = reply.message(redaction).map { ": \($0)" } ?? ""
                let isKey = reply.status == 401
                throw CommandFailure(
                    code: isKey ? "signInNeeded" : "refused",
                    ["the notification server answered \(reply.status)\(detail)"],
                    status: isKey || reply.status >= 500 ? ExitStatus.network : ExitStatus.failed)
            }
            let name = redaction.line(answer["id"]?.string ?? "?")
            let isKnown = answer["duplicate"] == true
            if output.isJSON { return try output.json(["id": .string(name), "duplicate": .bool(isKnown)]) }
            try output.remark("published as \(name)\(isKnown ? "; it was published before" : "")")
        }

        private func message(_ routeFile: RouteFile) throws -> Value.Members {
            var message: Value.Members = [
                "to": ["users": .array(to.map { .string($0) }), "rooms": .array(room.map { .string($0) })],
                "id": .string(id ?? SyncEnvironment.live.makeUUID())
            ]
            guard let object else {
                message["data"] = try InputArgument.json(data ?? "")
                return message
            }
            let uri = try ObjectURI.argument(object)
            _ = try routeFile.known(uri.entity)
            message["uri"] = ["entity": .string(uri.entity), "id": .string(uri.id)]
            for (name, text) in [("attributes", attributes), ("patch", patch), ("edits", edits)] {
                guard let text else { continue }
                guard case .object(let members) = try InputArgument.json(text) else {
                    throw CommandFailure.usage("--\(name) takes a JSON object")
                }
                message[name] = .object(members)
            }
            if whole { message["whole"] = true }
            if deleted { message["deleted"] = true }
            if let version { message["version"] = .string(version) }
            if let next { message["next"] = .string(next) }
            return message
        }
    }

    extension LiveSettings {
        /// Where publishers post: as it is set, or the server that clients connect to.
        var publishURL: String {
            if let publish { return publish.hasSuffix("/") ? String(publish.dropLast()) : publish }
            let isSecure = url.lowercased().hasPrefix("wss:") || url.lowercased().hasPrefix("https:")
            let rest = url.drop { $0 != ":" }.dropFirst(3)
            return (isSecure ? "https://" : "http://") + rest.prefix { $0 != "/" }
        }
    }
#endif
