internal import Atmosphere

/// What a person at the client decides.
extension SimulatedClient {
    /// Looks at one object that waits, and decides about it.
    func decide(_ choices: [Int], _ process: SimulatedProcess, _ synchronizer: Synchronizer) async throws {
        let pending = try await synchronizer.pending()
        guard !pending.isEmpty else { return }
        try await decide(pending[choices[0] % pending.count], choices[1], process, synchronizer)
    }

    func decide(
        _ object: LocalObject, _ choice: Int, _ process: SimulatedProcess, _ synchronizer: Synchronizer
    ) async throws {
        let uri = object.uri
        var base = object.record ?? object.meta.confirmed?.base
        if base == nil, case .unknown(let sent)? = object.meta.outgoing?.phase { base = sent.record }
        guard let mark = Ledger.mark(base?.members), let phase = object.meta.outgoing?.phase else { return }
        func note(_ what: String) { world.note("\(process.name)   \(uri): \(what)") }
        switch phase {
        case .conflicted(let conflict):
            switch (choice % 6, Self.written(conflict)) {
            case (2, let (field, theirs)?):
                let token = ledger.newToken()
                note("\(field) \(token)")
                letGo(of: conflict, mark)
                ledger.writes(number, mark, field, token, over: Ledger.token(theirs), at: uri)
                let value: Value = field == "rank" ? .number(JSONNumber(token)) : .string("\(field) \(token)")
                try await synchronizer.resolve(uri, .set([(field, value)]))
                ledger.kept(number, mark, field, token)
            case (5, (let field, .string)?) where conflict.fields == [field] && object.record?[field]?.string != nil:
                note("both")
                ledger.insisted.insert(mark)
                try await synchronizer.resolve(uri, .both(setting: []))
            case (0, _), (2, _), (4, _):
                note("theirs")
                letGo(of: conflict, mark)
                try await synchronizer.resolve(uri, .theirs)
            default:
                note("mine")
                ledger.insisted.insert(mark)
                try await synchronizer.resolve(uri, .mine)
            }
        case .rejected(_, let failure):
            // What was refused here, for what it refers to, would be no better the next time.
            if choice % 3 == 0, failure.status != nil {
                note("again")
                try await synchronizer.retry(uri)
            } else {
                note("discards")
                ledger.forget(number, mark)
                try await synchronizer.discard(uri)
            }
        case .unknown where object.meta.isDeleted:
            note("discards")
            ledger.forget(number, mark)
            try await synchronizer.discard(uri)
        case .unknown where object.meta.isLocalOnly:
            if isImpatient, choice == 5 {
                note("resends, whatever there may be")
                ledger.sendsAgain(mark)
                return try await synchronizer.resolve(uri, .resend)
            }
            let candidates = try await synchronizer.candidates(for: uri)
            if let candidate = candidates.first, let id = try await synchronizer.object(at: candidate)?.meta.id {
                note("is \(candidate)")
                do {
                    try await synchronizer.resolve(uri, .adopt(id))
                } catch let error as SyncError where error.code == .notFound {
                    // The server has deleted it since, which the next pull will show.
                    note(error.message)
                }
            } else if network.server.model.creates == .none || object.meta.outgoing.map(Self.isGivenUp) == true {
                note("resends")
                ledger.sendsAgain(mark)
                try await synchronizer.resolve(uri, .resend)
            }
        case .unknown(let sent) where sent.action != nil:
            if choice % 2 == 0 {
                note("resends")
                ledger.insisted.insert(mark)
                try await synchronizer.resolve(uri, .resend)
            } else {
                note("discards")
                ledger.forget(number, mark)
                try await synchronizer.discard(uri)
            }
        case .waiting where Self.isCalledOtherwise(object):
            note("discards, for it has another identifier now")
            ledger.forget(number, mark)
            try await synchronizer.discard(uri)
        case .unknown, .waiting, .sending: break
        }
        world.count("decisions")
    }

    /// A member that clashes and that a person can write, and what the server has there.
    private static func written(_ conflict: MetaObject.Conflict) -> (field: String, theirs: Value?)? {
        let field = ["title", "notes", "rank"].first(where: conflict.fields.contains)
        guard let theirs = conflict.theirs, let field else { return nil }
        return (field, theirs[field])
    }

    /// Members that clash are theirs now; what was edited of others goes on.
    private func letGo(of conflict: MetaObject.Conflict, _ mark: Int) {
        guard conflict.theirs != nil, !conflict.fields.isEmpty else { return ledger.forget(number, mark) }
        ledger.forget(number, mark, fields: conflict.fields)
    }

    /// The server shows it under another identifier, and a person is told so: what was edited under the former one may be
    /// meant for another object.
    static func isCalledOtherwise(_ object: LocalObject) -> Bool {
        object.meta.outgoing?.lastError?.message.contains("has renamed the object") == true
    }

    /// The look-ups have not told, or the create was refused under its key too often; or nothing has been answered for long.
    private static func isGivenUp(_ outgoing: Change) -> Bool {
        outgoing.retry.isSpent || outgoing.retry.total > 7
    }
}
