#if Command
    internal import Atmosphere

    extension MetaObject.Outgoing {
        /// What the server said when it refused the change for good; nil where it did not.
        var refusal: MetaObject.Failure? {
            if case .rejected(_, let failure) = phase { failure } else { nil }
        }

        /// One word for a table.
        func mark(of meta: MetaObject) -> String {
            switch phase {
            case .unknown: "unknown"
            case .conflicted: "conflicted"
            case .rejected: "rejected"
            case .waiting, .sending: meta.isDeleted ? "deleted" : meta.isLocalOnly ? "new" : "changed"
            }
        }

        /// What waits to be sent, and why it has not been.
        func summary(of meta: MetaObject) -> String {
            let what = meta.isDeleted ? "deleted here" : meta.isLocalOnly ? "created here" : "edited here"
            switch phase {
            case .unknown: return "\(what), sent without an answer"
            case .conflicted: return "\(what), conflicted"
            case .rejected(_, let failure): return "\(what), rejected: \(failure.message)"
            case .waiting, .sending:
                if !meta.waitsFor.isEmpty {
                    return "\(what), waits for \(meta.waitsFor.map(\.description).joined(separator: ", "))"
                }
                return lastError.map { "\(what), failed: \($0.message)" } ?? what
            }
        }
    }

    extension MetaObject.Failure {
        func json(of uri: ObjectURI) -> Value {
            let messages = fields.map { ["field": .string($0.field), "message": .string($0.message)] as Value }
            return [
                "uri": .string(uri.description), "status": status.map { .init($0) } ?? .null,
                "message": .string(message), "fields": .array(messages)
            ]
        }

        /// The message, and below it what the server said of single fields.
        func lines(of uri: ObjectURI, _ output: Output) -> [String] {
            let status = status.map { " (\($0))" } ?? ""
            return [output.bold(TextWidth.oneLine("\(uri)\(status)")) + TextWidth.oneLine(": \(message)")]
                + fields.map { TextWidth.oneLine("  \($0.field): \($0.message)") }
        }
    }
#endif
