#if Command
    internal import ArgumentParser
    internal import Atmosphere

    struct AttachCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "attach",
            abstract: "Attach a file to a field of an object, or download what is there.",
            discussion: """
                The file is copied beside the store, and the next push uploads it as the route file's attachments say, behind \
                the object itself. Prints the object's present address; atmos status says what waits, and atmos discard drops \
                it. With --now it is uploaded at once, which needs the network. With --output nothing changes: the content is \
                written to a file that must not be there yet, or to standard output (-).

                EXAMPLE
                  atmos attach tasks/42 photo cat.jpg
                  atmos attach tasks/42 photo --output cat.jpg
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: ArgumentHelp("ENTITY/ID", valueName: "object"), transform: ObjectURI.argument)
        var uri: ObjectURI

        @Argument(help: "The field.")
        var field: String

        @Argument(help: "The file to upload.", completion: .file())
        var file: String?

        @Option(
            name: .customLong("output"),
            help: ArgumentHelp("Download into this file; - for standard output.", valueName: "file"),
            completion: .file())
        var target: String?

        @Option(
            help: ArgumentHelp("The file's media type; by default what its name says.", valueName: "media-type"))
        var type: String?

        @Flag(help: "Upload at once, and send what the field is set to.")
        var now = false

        func validate() throws {
            guard (file == nil) != (target == nil) else {
                throw ValidationError("name a FILE to upload, or --output FILE to download into")
            }
            if target != nil, now || type != nil { throw ValidationError("--now and --type are for uploads") }
        }

        func run(_ output: Output) async throws {
            let content = try file.map { try ContentFile.content($0, mediaType: type) }
            try await withSynchronizer(output) { synchronizer in
                _ = try synchronizer.routeFile.known(uri.entity)
                let progress = ProgressLine(output)
                if let content {
                    guard now else {
                        return try output.address(try await synchronizer.attach(content, as: field, to: uri))
                    }
                    let present = try await progress.following(synchronizer) {
                        try await atOnce(uri.entity) {
                            try await synchronizer.attachNow(content, as: field, to: uri)
                        }
                    }
                    let object = try await synchronizer.object(at: present)
                    if object?.meta.outgoing?.unverified?.isRead == true {
                        output.warning(
                            "\(present): the file was uploaded, and the object could not be read; the next push reads it"
                        )
                    }
                    return try await output.address(sent: present, in: synchronizer)
                }
                guard let target else { return }
                let (found, count) = try await progress.following(synchronizer) {
                    let found = try await synchronizer.content(of: field, at: uri)
                    let count = try await ContentFile.write(found, to: target)
                    return (found, count)
                }
                guard target != "-" else { return }
                if output.isJSON {
                    let facts: Value = [
                        "file": .string(target), "bytes": .number(JSONNumber(Int(count))),
                        "type": found.mediaType.map(Value.string) ?? .null
                    ]
                    return try output.json(facts)
                }
                try output.remark("\(TextWidth.oneLine(target)): \(count) bytes")
            }
        }
    }
#endif
