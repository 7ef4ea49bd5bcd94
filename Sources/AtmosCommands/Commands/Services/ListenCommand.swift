#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports
    internal import Synchronization
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    struct ListenCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "listen",
            abstract: "Print live updates and notifications as they arrive; nothing is stored.",
            discussion: """
                Connects as live of the route file says and runs until SIGINT or SIGTERM, or until --count messages have \
                come. Ends with 4 where the server refuses the key. With --json each message is one line: {"update": …}, \
                {"notification": …}, {"connected": …}, {"disconnected": …} or {"refused": …}, which names rooms.

                EXAMPLE
                  atmos listen
                  atmos listen --json --count 1
                """)

        @OptionGroup var global: GlobalOptions

        @Option(help: ArgumentHelp("End after so many updates and notifications.", valueName: "n"))
        var count: Int?

        func validate() throws {
            if let count, count < 1 { throw ValidationError("--count takes a number above 0") }
        }

        func run(_ output: Output) async throws {
            let routeFile = try global.routeFile(output)
            let secrets = SecretSource(for: routeFile, environment: ProcessInfo.processInfo.environment)
            guard
                let client = try [Adapter].linked.messageClient(
                    for: routeFile.live, beside: routeFile.source, secrets: secrets)
            else {
                throw CommandFailure.usage(
                    "\(routeFile.source) names no server for live updates: add live: { url: …, key: \"secret:NAME\" }")
            }
            let queue = MessageQueue(limit: 1000)
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask {
                    defer { queue.finish() }
                    try await client.run { queue.add($0) }
                }
                var left = count ?? .max
                while let event = await queue.next() {
                    if case .refused(.key) = event.content {
                        throw CommandFailure(
                            code: "signInNeeded", ["\(Self.reason(event)); correct the secret of live.key"],
                            status: ExitStatus.network)
                    }
                    try show(event, output)
                    switch event.content {
                    case .update, .notification: left -= 1
                    case .connected, .disconnected, .joined, .refused, .unusable: break
                    }
                    if left == 0 { return }
                }
                do { try await group.waitForAll() } catch {
                    // Ended as it is meant to be, unless some were still to come.
                    guard Task.isCancelled, count == nil else { throw error }
                }
            }
        }

        private static func reason(_ event: MessageEvent) -> String {
            if case .refused(let refusal) = event.content { TextWidth.oneLine(refusal.reason) } else { "" }
        }

        private func show(_ event: MessageEvent, _ output: Output) throws {
            if output.isJSON { return try output.json(.object(event.members)) }
            switch event.content {
            case .connected(.new): try output.remark("connected")
            case .connected(.resumed): try output.remark("connected again")
            case .connected(.gap): try output.remark("something was missed; pull")
            case .disconnected(let reason): output.warning("not connected: \(reason)")
            case .joined(let rooms):
                try output.remark(TextWidth.oneLine("listening to \(rooms.joined(separator: ", "))"))
            case .refused: output.warning(Self.reason(event))
            case .unusable(let reason): output.warning("a message was ignored: \(reason)")
            case .notification(let notification):
                try output.line(
                    TextWidth.oneLine("notification  \(String(decoding: notification.data.json(), as: UTF8.self))"))
            case .update(let update):
                let version = update.version.map { "  version \($0)" } ?? ""
                let content = update.content.member.map { "\($0.name) \($0.value.text)" } ?? "changed"
                try output.line(TextWidth.oneLine("\(update.uri)  \(content)\(version)"))
            }
        }
    }

    extension MessageEvent {
        /// As one line of JSON.
        var members: Value.Members {
            switch content {
            case .connected(let continuity): ["connected": .string("\(continuity)")]
            case .disconnected(let reason): ["disconnected": .string(reason)]
            case .joined(let rooms): ["joined": .array(rooms.map { .string($0) })]
            case .refused(.key(let reason)): ["refused": ["key": .string(reason)]]
            case .refused(.rooms(let rooms)): ["refused": ["rooms": .array(rooms.map { .string($0) })]]
            case .unusable(let reason): ["unusable": .string(reason)]
            case .notification(let notification):
                ["notification": ["id": .init(notification.id), "data": notification.data]]
            case .update(let update): ["update": .object(update.members)]
            }
        }
    }

    extension LiveUpdate {
        /// As publishers write it; of content that cannot be used it says why.
        fileprivate var members: Value.Members {
            var members: Value.Members = ["uri": ["entity": .string(uri.entity), "id": .string(uri.id)]]
            if let id { members["id"] = .string(id) }
            if let content = content.member { members[content.name] = content.value }
            if case .whole = content { members["whole"] = true }
            if let version { members["version"] = .string(version) }
            if let next { members["next"] = .string(next) }
            return members
        }
    }

    extension LiveUpdate.Content {
        fileprivate var member: Value.Member? {
            switch self {
            case .changed: nil
            case .attributes(let members), .whole(let members): .init(name: "attributes", value: .object(members))
            case .patch(let members): .init(name: "patch", value: .object(members))
            case .deleted: .init(name: "deleted", value: true)
            case .unusable(let reason): .init(name: "unusable", value: .string(reason))
            case .edits(let texts):
                .init(
                    name: "edits",
                    value: .object(
                        Value.Members(
                            texts.map { text in
                                Value.Member(
                                    name: text.member,
                                    value: .array(
                                        text.edits.map {
                                            [
                                                "at": .init($0.at), "delete": .init($0.delete),
                                                "insert": .string($0.insert)
                                            ]
                                        }))
                            })))
            }
        }
    }
#endif
