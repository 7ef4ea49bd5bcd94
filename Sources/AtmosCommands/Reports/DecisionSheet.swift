#if Command
    internal import Atmosphere

    /// The text in which a person decides a conflict: base, mine and theirs of each field as remarks, and a line that
    /// takes its value.
    struct DecisionSheet {
        let text: String
        private let uri: ObjectURI

        /// - Throws: ``SyncError`` `wrongState` where there is no field to decide.
        init(_ object: LocalObject) throws {
            guard case .conflicted(let conflict)? = object.meta.outgoing?.phase else {
                throw SyncError(code: .wrongState, message: "\(object.uri) is not conflicted")
            }
            guard let mine = object.record, let theirs = conflict.theirs, !conflict.fields.isEmpty else {
                throw SyncError(
                    code: .wrongState,
                    message: "\(object.uri) has no field that clashes; decide it with --mine or --theirs")
            }
            uri = object.uri
            let base = object.meta.confirmed?.base
            func show(_ record: ObjectRecord?, _ field: String) -> String { record?[field].map(Self.json) ?? "absent" }
            var lines = [
                "# \(object.uri): edited here and on the server.",
                "# Write the value of each field behind its colon, as JSON. A field whose line you remove gets theirs.",
                "# Lines that begin with # are remarks. To decide nothing leave the file as it is, or empty it."
            ]
            for field in conflict.fields {
                lines += [
                    "", "#   base:   \(show(base, field))", "#   mine:   \(show(mine, field))",
                    "#   theirs: \(show(theirs, field))",
                    "\(Self.json(.string(field))): \(mine[field].map(Self.json) ?? "null")"
                ]
            }
            text = lines.joined(separator: "\n") + "\n"
        }

        /// The values of a file that was edited.
        ///
        /// - Throws: ``CommandFailure`` for a file that is as it was, holds no value, or cannot be read, with the line.
        func values(in edited: String) throws -> Value.Members {
            guard edited != text else { throw Self.failure("nothing was changed in the file, so nothing is decided") }
            var values = Value.Members()
            for (index, line) in edited.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                let trimmed = line.drop { $0 == " " || $0 == "\t" || $0 == "\r" }
                guard !trimmed.isEmpty, !trimmed.hasPrefix("#") else { continue }
                // A line is one member of a JSON object.
                guard let members = (try? Value(json: Array("{\(trimmed)}".utf8)))?.members, members.count == 1,
                    let member = members.first
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

        private static func failure(_ message: String) -> CommandFailure {
            CommandFailure(code: "editor", [message], status: ExitStatus.failed)
        }

        private static func json(_ value: Value) -> String { String(decoding: value.json(), as: UTF8.self) }
    }
#endif
