#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    struct DiscardCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "discard",
            abstract: "Drop what was edited here, and go back to what the server has.",
            discussion: """
                An object that the server does not know vanishes. With --upload one file is dropped that waits to be uploaded \
                into this member, and everything else waits on: the file that was refused or sent without an answer, else \
                the one that was attached last. Prints the object's address, and on standard error each file that is \
                dropped, and the others of the member.

                EXAMPLE
                  atmos discard tasks/42
                  atmos discard tasks/42 --upload photo
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: ArgumentHelp("ENTITY/ID", valueName: "object"), transform: ObjectURI.argument)
        var uri: ObjectURI

        @Option(help: ArgumentHelp("Drop one file that waits for this member, and nothing else.", valueName: "member"))
        var upload: String?

        func run(_ output: Output) async throws {
            try await withSynchronizer(output) { synchronizer in
                let object = try await synchronizer.object(at: uri)
                // Also what is left of an entity that the route file does not have any more can be dropped.
                if object == nil { _ = try synchronizer.routeFile.known(uri.entity) }
                let present = object?.uri ?? uri
                if object?.meta.isChanged == false {
                    throw SyncError(
                        code: .wrongState, message: "\(present) has nothing to drop: it is as the server has it")
                }
                if let upload {
                    guard let meta = object?.meta, let content = meta.firstToDrop(from: upload) else {
                        throw SyncError(
                            code: .wrongState, message: "\(present) has no content that waits for “\(upload)”")
                    }
                    try await synchronizer.discard(content, of: present)
                    tell([content], output)
                    if meta.mayBeDone(content) { tellDoubt(of: present, output) }
                    for other in meta.uploads where other.member == upload && other.id != content.id {
                        output.warning("waits on: \(other.summary)")
                    }
                    return try output.address(present)
                }
                try await synchronizer.discard(present)
                tell(object?.meta.uploads ?? [], output)
                if object?.meta.outgoing?.evidence == .nameless {
                    output.warning(
                        "\(present): what is dropped was accepted by the server, which has not said as which object: "
                            + "atmos pull \(present.entity.shellWord) shows")
                } else if object?.meta.outgoing?.mayBeDone == true {
                    let deletes = synchronizer.routeFile.resource(present.entity)?.deletes
                    let isUntold = object?.meta.isDeleted == true && deletes?.isTold == false
                    tellDoubt(of: present, output, isUntold: isUntold)
                }
                try output.address(present)
            }
        }

        /// - Parameter isUntold: no pull shows what it may have done.
        private func tellDoubt(of uri: ObjectURI, _ output: Output, isUntold: Bool = false) {
            output.warning(
                "\(uri): what is dropped was sent without an answer, and may have been done all the same: "
                    + (isUntold
                        ? "no pull shows that, for “deletes” does not say how, so the next write to it does"
                        : "atmos pull \(uri.entity.shellWord) shows"))
        }

        private func tell(_ dropped: [MetaObject.Upload], _ output: Output) {
            for content in dropped { output.warning("dropped: \(content.summary)") }
        }
    }
#endif
