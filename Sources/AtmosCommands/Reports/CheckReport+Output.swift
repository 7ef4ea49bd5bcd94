#if Command
    internal import Atmosphere
    internal import AtmosphereReports

    extension CheckReport {
        /// For people; problems are for standard error.
        func lines(_ output: Output) -> [String] {
            (identity.map { [TextWidth.oneLine("signed in as \($0)")] } ?? [])
                + warnings.map { "\(output.yellow("warning"))  \(TextWidth.oneLine($0))" }
                + resources.flatMap { $0.lines(output) }
                + (promises.isEmpty ? [] : [output.bold("promises")] + promises.flatMap { $0.lines(output) })
        }
    }

    extension CheckReport.Resource {
        fileprivate func lines(_ output: Output) -> [String] {
            var facts: [String] = []
            if let listed {
                let total = total.map { ", \($0) in all" } ?? ""
                facts.append("list     \(listed) on the first page\(total)\(hasMore ? ", more follow" : "")")
            }
            if let isReadable { facts.append("read     \(isReadable ? "one object was read" : "failed")") }
            facts.append("create   \(create.explanation)\(restsOnCreate && !isCreateTried ? Self.untried : "")")
            facts.append("write    \(writes)")
            let lines =
                facts.map { TextWidth.oneLine("  \($0)") }
                + findings.map { finding in
                    let mark = finding.holds ? output.green("yes") : output.yellow("no ")
                    return "  \(mark)      \(TextWidth.oneLine(finding.text))"
                }
            return [output.bold(entity)] + lines + notes.map { TextWidth.oneLine("  note     \($0)") }
        }
    }

    extension CheckReport.Resource {
        private static let untried = "; as declared, not tried (--write tries it)"

        /// Something is declared that keeps a create from happening twice.
        private var restsOnCreate: Bool {
            switch create {
            case .clientID, .idempotencyKey, .lookup: true
            case .notOffered, .none, .refuted: false
            }
        }

        private var writes: String {
            guard isWritable else { return "not offered" }
            if isLeased { return "under an edit lease: no other client writes meanwhile" + Self.untried }
            if version.leavesRace { return version.explanation }
            guard let finding = findings.first(where: { $0.topic == "if-match" }) else {
                return version.explanation + Self.untried
            }
            return finding.holds ? version.explanation : "the server does not refuse a stale version, as was tried"
        }
    }

    extension CheckReport.Promise {
        fileprivate func lines(_ output: Output) -> [String] {
            let word =
                if !exceptions.isEmpty {
                    "\(output.yellow("not all"))  "
                } else if !untried.isEmpty {
                    "\(output.yellow("untried"))  "
                } else {
                    "\(output.green("kept"))     "
                }
            return ["  \(word)\(title)"] + (exceptions + untried).map { TextWidth.oneLine("             \($0)") }
        }
    }

    extension CheckReport.CreateSafety {
        fileprivate var explanation: String {
            switch self {
            case .notOffered: "not offered"
            case .clientID: "never twice: the identifier is given here and looked up"
            case .idempotencyKey(let header): "never twice: the server knows a repeated one by \(header)"
            case .lookup(let field): "never twice: one whose answer is lost is looked up by “\(field)”"
            case .none: "one whose answer is lost waits for a person: the API gives no means to look it up"
            case .refuted: "one whose answer is lost can happen twice: the server does not do what the route file says"
            }
        }
    }

    extension Version {
        fileprivate var explanation: String {
            switch self {
            case .none: "not checked: of two writes the last one wins"
            case .compare:
                "read and merged first; a change that another makes between that read and the write is overwritten"
            case .ifMatch: "sent with If-Match: the server refuses to overwrite another's change"
            case .body: "an update sends it back in the body: the server refuses to overwrite another's change"
            case .token: "sent with the version that was read; whether a stale one is refused is for the server to say"
            }
        }
    }
#endif
