#if Command || Demo
    internal import Atmosphere
    internal import AtmosphereReports

    extension OpenDecision {
        /// What clashes was nowhere before: both sides have set it, or made the whole object under one identifier.
        private func isNewOnBothSides(_ conflict: MetaObject.Conflict) -> Bool {
            let base = object.meta.confirmed?.base.members
            return !conflict.fields.isEmpty && conflict.fields.allSatisfy { base?[$0] == nil }
        }

        func lines(_ output: Output) -> [String] {
            let uri = TextWidth.oneLine(object.uri.description)
            switch kind {
            case .conflict(let conflict):
                let what =
                    switch (object.record, conflict.theirs) {
                    case (let mine, _?) where said != nil:
                        "\(mine == nil ? "deleted" : "edited") here, and refused by the server"
                    case (_, nil): "edited here, deleted on the server"
                    case (nil, _): "deleted here, edited on the server"
                    case _ where isNewOnBothSides(conflict): "set here and on the server, where neither had it before"
                    default: "edited here and on the server"
                    }
                var table = Table(["FIELD", "BASE", "MINE", "THEIRS"])
                let (base, mine) = (object.meta.confirmed?.base.members, object.record?.members)
                let theirs = conflict.theirs?.members
                var (isFiles, hasFile) = (!conflict.fields.isEmpty, false)
                for field in conflict.fields {
                    let file = upload(of: field, conflict)?.file
                    if file == nil { isFiles = false } else { hasFile = true }
                    let ours = file ?? Self.text(mine?[field])
                    table.add([field, Self.text(base?[field]), ours, Self.text(theirs?[field])])
                }
                if let retryAt = conflict.retryAt {
                    let message = said?.summary ?? "somebody else has the edit lease"
                    return [
                        output.bold("\(uri): \(TextWidth.oneLine(message))"),
                        output.dim("  sent when the lease is free; tried again from \(retryAt.rfc3339) on")
                    ]
                }
                if conflict.fields.isEmpty, said == nil, let edited = mine ?? theirs {
                    // One side has deleted it: what the other has edited is kept or lost.
                    let names = edited.names + (base?.names ?? []).filter { edited[$0] == nil }
                    for name in names where base?[name] != edited[name] {
                        let (old, new) = (Self.text(base?[name]), Self.text(edited[name]))
                        table.add([name, old] + (mine == nil ? ["deleted", new] : [new, "deleted"]))
                    }
                }
                let choices =
                    conflict.fields.isEmpty || isFiles
                    ? "--mine or --theirs"
                    // Of a file and a value there are no both.
                    : hasFile
                        ? "--mine, --theirs, --editor or --set FIELD=VALUE"
                        : "--mine, --theirs, --both, --editor or --set FIELD=VALUE"
                let remedy = "atmos resolve \(object.uri.shellWord) \(choices)"
                let answer = said.map { "it says: \($0.summary)\($0.status.map { " (\($0))" } ?? "")" }
                let message = (answer ?? doubt).map { TextWidth.oneLine("  \($0)") }
                // With what was deleted there the files are kept or lost, too.
                let files = conflict.theirs == nil ? object.meta.uploads.map(\.summary) : []
                return [output.bold("\(uri): \(what)")] + [message].compactMap(\.self)
                    + (table.isEmpty ? [] : table.lines(width: output.width.map { $0 - 2 }).map { "  \($0)" })
                    + files.map { TextWidth.oneLine("  \($0)") }
                    + [output.dim("  \(remedy)")]
            case .unknown(let snapshot, let failure):
                let reason = failure.map { " (\($0.message))" } ?? ""
                let upload = object.meta.openUpload
                let what =
                    upload.map { "the content of “\($0.member)” (\($0.fileName)) was " }
                    ?? snapshot.action.map { "the action “\($0)” was " } ?? ""
                // Only of a create is it open which object it has become.
                let choices = object.meta.isLocalOnly ? "--adopt ID or --resend" : "--resend"
                let due = object.meta.outgoing?.retry.due.map { " from \($0.rfc3339) on" } ?? ""
                let word = object.uri.shellWord
                let discard =
                    upload.map { "atmos discard \(word) --upload \($0.member.shellWord)" }
                    ?? "atmos discard \(word)\(droppedToo(snapshot))"
                let decisions = "atmos resolve \(word) \(choices), or \(discard)"
                let hasFailed = (object.meta.outgoing?.retry.total ?? 0) > 2
                let automatic =
                    hasFailed
                    ? "a push asks again\(due); to decide it now: \(decisions)"
                    : "a push finds out by itself\(due); there is nothing to decide yet"
                let remedy = isAutomatic ? automatic : decisions
                let outgoing = object.meta.outgoing
                let doubt =
                    switch outgoing?.evidence {
                    case .underWay?: "sent, and refused so far as if the server were still at it"
                    case .named?: "accepted by the server, which has not shown it"
                    case .nameless?: "accepted by the server, which does not say as which object"
                    default: "sent, but not answered; it may or may not have happened"
                    }
                return [
                    output.bold("\(uri): \(what)\(doubt)") + TextWidth.oneLine(reason)
                ] + candidates.map { "  it may be \(TextWidth.oneLine($0.description)), which says the same" } + [
                    output.dim("  \(remedy)")
                ]
            }
        }

        /// What goes with an action that is discarded: what was edited and attached since it was sent.
        private func droppedToo(_ sent: Attempt) -> String {
            guard sent.action != nil, let tried = sent.record?.members, let mine = object.record?.members else {
                return ""
            }
            let edited = (mine.names + tried.names.filter { mine[$0] == nil }).filter { mine[$0] != tried[$0] }
            let edits = edited.isEmpty ? [] : ["the later edit of \(edited.joined(separator: ", "))"]
            let others = edits + object.meta.uploads.map(\.summary)
            return others.isEmpty ? "" : ", which drops \(others.joined(separator: ", ")) too"
        }

        private static func text(_ value: Value?) -> String {
            value.map { TextWidth.cut(String(decoding: $0.json(), as: UTF8.self), to: 60) } ?? "absent"
        }
    }
#endif
