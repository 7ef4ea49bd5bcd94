package import Atmosphere

extension Change {
    /// What the server said when it refused the change for good; nil where it did not.
    package var refusal: MetaObject.Failure? {
        if case .rejected(_, let failure) = phase { failure } else { nil }
    }

    /// One word for a table.
    package func mark(of meta: MetaObject) -> String {
        switch phase {
        case .unknown: "unknown"
        case .conflicted: "conflicted"
        case .rejected: "rejected"
        case .waiting, .sending: meta.isDeleted ? "deleted" : meta.isLocalOnly ? "new" : "changed"
        }
    }

    private func what(_ meta: MetaObject) -> String {
        if let upload = meta.openUpload { return upload.summary }
        let what = meta.isDeleted ? "deleted here" : meta.isLocalOnly ? "created here" : "edited here"
        guard !meta.uploads.isEmpty else { return what }
        return "\(meta.isLocalOnly ? what : "changed here"), \(meta.uploads.map(\.summary).joined(separator: ", "))"
    }

    /// What waits to be sent, and why it has not been.
    ///
    /// - Parameter holder: of a delete or an action: the change that it waits for.
    package func summary(of meta: MetaObject, holder: MetaObject? = nil) -> String {
        let what = what(meta)
        switch phase {
        case .unknown where evidence == .underWay:
            return "\(what), refused so far as if the server were still at it"
        case .unknown where evidence.isNamed: return "\(what), accepted by the server, which has not shown it"
        case .unknown where evidence == .nameless:
            return "\(what), accepted by the server, which does not say as which object"
        case .unknown: return "\(what), sent without an answer"
        case .conflicted: return "\(what), conflicted"
        case .rejected(_, let failure): return "\(what), rejected: \(failure.summary)"
        case .sending: return "\(what), was being sent"
        case .waiting:
            if let holder { return "\(what), waits for \(holder.uri)" }
            if !meta.waitsFor.isEmpty {
                return "\(what), waits for \(meta.waitsFor.map(\.description).joined(separator: ", "))"
            }
            let stand =
                switch unverified {
                case nil: what
                case let written? where written.isRead && meta.uploads.isEmpty && evidence.mayHaveArrived:
                    "sent at once to the server, which did not say that it is done"
                case let written? where written.isRead && meta.uploads.isEmpty:
                    "sent to the server, which has not shown it since"
                case let written? where written.isRead: what
                case _?: "\(what), accepted by the server, which has not shown it since"
                }
            return lastError.map { "\(stand), failed: \($0.summary)" } ?? stand
        }
    }
}

extension Change {
    /// ``summary(of:)``, and what has to happen before it is sent.
    ///
    /// - Parameters:
    ///   - missing: the operation that it needs and that the route file does not offer.
    ///   - isFoundOut: a push finds out what became of it.
    ///   - edited: the members that were edited here.
    ///   - holder: of a delete or an action: the change that it waits for.
    ///   - namesCommands: the reader has the command at hand.
    package func reason(
        of meta: MetaObject, in routeFile: RouteFile, missing: String? = nil, isFoundOut: Bool = false,
        edited: [String] = [], holder: MetaObject? = nil, namesCommands: Bool = true
    ) -> String {
        let reason = standing(
            of: meta, in: routeFile, missing: missing, isFoundOut: isFoundOut, holder: holder, namesCommands)
        guard let open = meta.openUpload else { return reason }
        let edits = edited.isEmpty ? [] : ["the edit of \(edited.joined(separator: ", "))"]
        let behind = edits + meta.uploads.filter { $0.id != open.id }.map(\.summary)
        return behind.isEmpty ? reason : "\(reason); behind it wait: \(behind.joined(separator: ", "))"
    }

    private func standing(
        of meta: MetaObject, in routeFile: RouteFile, missing: String?, isFoundOut: Bool, holder: MetaObject?,
        _ namesCommands: Bool
    ) -> String {
        let summary = summary(of: meta, holder: holder)
        let command = { (words: String) in namesCommands ? " (atmos \(words))" : "" }
        let discard = command("discard \(meta.uri.shellWord)")
        let (rejected, conflicts) = (command("rejected"), command("conflicts"))
        if let missing {
            return
                "\(summary); \(routeFile.source) offers no \(missing) for \(meta.uri.entity), so it is never sent: "
                + "declare it, or drop the change\(discard)"
        }
        if routeFile.resource(meta.uri.entity) == nil {
            return
                "\(summary); \(routeFile.source) has no entity “\(meta.uri.entity)” any more, so it is never sent: put "
                + "it back, or drop the change\(discard)"
        }
        switch phase {
        case .rejected where meta.isDeleted: return "\(summary); retry it, or discard it\(rejected)"
        case .rejected where phase.upload != nil:
            return "\(summary); retry it, attach another file, or discard the change\(rejected)"
        case .rejected: return "\(summary); edit and retry it, or discard it\(rejected)"
        case .unknown where isLookedForInVain:
            let due = retry.due?.rfc3339 ?? ""
            return "\(summary); \(Self.lookedForInVain); asked again from \(due) on, or with a push"
        case .unknown where retry.due != nil: return summary + again + message
        case .unknown where isFoundOut: return "\(summary)\(message); the next push finds out what became of it"
        case .unknown: return "\(summary)\(message); a person decides\(conflicts)"
        case .conflicted(let conflict) where conflict.retryAt != nil:
            return "\(summary)\(message); sent when the lease is free, tried again from "
                + "\(conflict.retryAt?.rfc3339 ?? "") on"
        case .conflicted(let conflict):
            let refusal = refusalWithoutClash(of: meta).map { ": the server refuses it: \($0.summary)" }
            let edited = meta.isDeleted && refusal == nil ? " with an edit on the server" : ""
            let what = conflict.theirs == nil ? " with a delete on the server" : edited
            let fields = conflict.fields.isEmpty ? what : " in \(conflict.fields.joined(separator: ", "))"
            return "\(summary)\(fields)\(refusal ?? ""); a person decides\(conflicts)"
        case .sending: return "\(summary); the next push finds out what became of it"
        case .waiting:
            if let holder, let change = holder.outgoing {
                // It may wait for a third itself, as its own line says.
                if holder.isDeleted, change.phase == .waiting, change.lastError == nil {
                    return "\(summary), which refers to it on the server, and is deleted first"
                }
                return "\(summary), which refers to it on the server: "
                    + change.reason(of: holder, in: routeFile, namesCommands: namesCommands)
            }
            if !meta.waitsFor.isEmpty { return "\(summary), which the server does not know yet" }
            if unverified != nil { return summary + (retry.due == nil ? "; the next push reads it" : again) }
            if let lastError, retry.due == nil {
                return "\(what(meta)), goes with the next push; it failed before: \(lastError.summary)"
            }
            return lastError == nil ? "\(summary), goes with the next push" : summary + again
        }
    }

    /// Of a create whose answer was lost, and of which a look-up shows nothing.
    package static let lookedForInVain = "looked for, not there so far"

    /// What the server said each time, where it refuses a change that clashes with nothing it has shown; nil for any
    /// other conflict.
    package func refusalWithoutClash(of meta: MetaObject) -> MetaObject.Failure? {
        guard isRefusedEachTime else { return nil }
        return lastError.flatMap { $0.status == nil ? nil : $0 }
    }

    private var message: String { lastError.map { ": \($0.message)" } ?? "" }

    private var again: String { retry.due.map { "; tried again from \($0.rfc3339) on, or with a push" } ?? "" }
}

extension LocalObject {
    /// The members that stand otherwise here than on the server.
    package var editedMembers: [String] {
        guard let mine = record?.members, let base = meta.base?.members else { return [] }
        return (mine.names + base.names.filter { mine[$0] == nil }).filter { mine[$0] != base[$0] }
    }
}

extension MetaObject {
    /// The upload that was refused, or whose outcome nobody knows; nil where that is another change.
    package var openUpload: Upload? { uploads.first { $0.id == outgoing?.phase.upload } }
}

extension MetaObject.Upload {
    /// What waits, for a line among others.
    package var summary: String { "“\(member)” to be uploaded (\(fileName), \(length) bytes)" }

    /// The file, in a row of a table.
    package var file: String { "\(fileName) (\(length) bytes)" }

    /// The content as a value, for those who read what goes where.
    package var facts: Value { .object(factMembers) }

    /// The same with the field that it goes into.
    package var place: Value {
        .object(Value.Members([.init(name: "field", value: .string(member))] + Array(factMembers)))
    }

    private var factMembers: Value.Members {
        ["file": .string(fileName), "type": .string(mediaType), "bytes": .number(JSONNumber(length))]
    }
}

extension MetaObject {
    /// The queued uploads, with where each stands.
    package var uploadsJSON: Value {
        .array(
            uploads.map { upload in
                let (state, message): (String, String?) =
                    switch status(of: upload) {
                    case .waiting(_, .retry(_, let failure)): ("waiting", failure.summary)
                    case .synchronized, .waiting, .conflicted: ("waiting", nil)
                    case .sending: ("sending", nil)
                    case .rejected(_, let failure): ("rejected", failure.summary)
                    case .unknown: ("unknown", outgoing?.lastError?.summary)
                    }
                return [
                    "field": .string(upload.member), "file": .string(upload.fileName),
                    "type": .string(upload.mediaType), "bytes": .number(JSONNumber(upload.length)),
                    "sha256": .string(upload.digest), "state": .string(state), "message": .init(message)
                ]
            })
    }
}

extension MetaObject.Failure {
    package func json(of uri: ObjectURI) -> Value {
        let messages = fields.map { ["field": .string($0.field), "message": .string($0.message)] as Value }
        return [
            "uri": .string(uri.description), "status": status.map { .init($0) } ?? .null,
            "message": .string(message), "fields": .array(messages)
        ]
    }
}
