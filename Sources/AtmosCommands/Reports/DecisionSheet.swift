#if Command
    internal import Atmosphere
    internal import AtmosphereReports

    /// The text in which a person decides a conflict: base, mine and theirs of each field as remarks, and a line that
    /// takes its value. Nothing of somebody else's ends a line of it, or steers what shows it (``UnseenText``).
    struct DecisionSheet {
        let text: String
        private let uri: ObjectURI

        /// - Parameter files: those that wait for a field that clashes.
        /// - Throws: ``SyncError`` `wrongState` where there is no field to decide.
        init(_ object: LocalObject, files: [MetaObject.Upload] = []) throws {
            guard case .conflicted(let conflict)? = object.meta.outgoing?.phase else {
                throw SyncError(code: .wrongState, message: "\(object.uri) is not conflicted")
            }
            guard let mine = object.record, let theirs = conflict.theirs, !conflict.fields.isEmpty else {
                throw SyncError(
                    code: .wrongState,
                    message: "\(object.uri) has no field that clashes; decide it with --mine or --theirs")
            }
            uri = object.uri
            // Decoded once: there may be thousands of fields.
            let (base, here, there) = (object.meta.confirmed?.base.members, mine.members, theirs.members)
            func show(_ members: Value.Members?, _ field: String) -> String {
                members?[field].map(Self.json) ?? "absent"
            }
            var lines = [
                "# \(TextWidth.oneLine(object.uri.description)): edited here and on the server.",
                "# Write the value of each field behind its colon, as JSON. A field whose line you remove gets theirs.",
                "# Lines that begin with # are remarks. To decide nothing leave the file as it is, or empty it."
            ]
            for field in conflict.fields {
                if let file = files.last(where: { $0.member == field }) {
                    // No value says the file, so that a line of its own would drop it.
                    lines += [
                        "", "#   base:   \(show(base, field))", "#   mine:   the file \(TextWidth.oneLine(file.file))",
                        "#   theirs: \(show(there, field))",
                        "# The file is uploaded. To drop it, remove the # of this line, which says theirs, or write another value:",
                        "#\(Self.json(.string(field))): \(there[field].map(Self.json) ?? "null")"
                    ]
                    continue
                }
                lines += [
                    "", "#   base:   \(show(base, field))", "#   mine:   \(show(here, field))",
                    "#   theirs: \(show(there, field))",
                    "\(Self.json(.string(field))): \(here[field].map(Self.json) ?? "null")"
                ]
            }
            text = lines.joined(separator: "\n") + "\n"
        }

        /// The values of a file that was edited. Its lines may end with CR LF, and it may begin with a byte order mark.
        ///
        /// - Throws: ``CommandFailure`` for a file that is as it was, holds no value, or cannot be read, with the line.
        func values(in edited: String) throws -> Value.Members {
            let lines = Self.lines(of: edited)
            guard lines != Self.lines(of: text) else {
                throw Self.failure("nothing was changed in the file, so nothing is decided")
            }
            var values = Value.Members()
            for (index, line) in lines.enumerated() {
                let trimmed = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
                guard let first = trimmed.first, first != UInt8(ascii: "#") else { continue }
                // A line is one member of a JSON object.
                let text = Array("{".utf8) + Array(trimmed) + Array("}".utf8)
                guard let members = (try? Value(json: text))?.members, members.count == 1, let member = members.first
                else {
                    throw Self.failure(
                        "line \(index + 1) of the file is not \"FIELD\": VALUE with a value in JSON, so nothing is decided; "
                            + "\(uri) is still conflicted")
                }
                guard values[member.name] == nil else {
                    throw Self.failure("the file has two lines for “\(member.name)”, so nothing is decided")
                }
                values[member.name] = member.value
            }
            guard !values.isEmpty else { throw Self.failure("the file holds no value, so nothing is decided") }
            return values
        }

        private static func lines(of text: String) -> [[UInt8]] {
            let bare = text.rest(after: "\u{FEFF}") ?? text[...]
            return bare.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
                line.last == UInt8(ascii: "\r") ? Array(line.dropLast()) : Array(line)
            }
        }

        private static func failure(_ message: String) -> CommandFailure {
            CommandFailure(code: "editor", [message], status: ExitStatus.failed)
        }

        private static func json(_ value: Value) -> String {
            String(decoding: UnseenText.escaped(value.json()), as: UTF8.self)
        }
    }
#endif
