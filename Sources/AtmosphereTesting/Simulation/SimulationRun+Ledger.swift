internal import Atmosphere

extension SimulationRun {
    /// Every write that was acknowledged has come to the server, unless a person or a declared policy let go of it.
    func checkLedger() {
        guard world.violations.isEmpty else { return }
        let model = scenario.model
        for (written, token) in ledger.acknowledged.sorted(by: { $0.value < $1.value }) {
            let (mark, field) = (written.place.mark, written.place.field)
            let reached = field == "tags" ? ledger.tags[mark] : ledger.history[written.place]
            if reached?.contains(token) == true { continue }
            // A later edit took its place, also one that a crash left unacknowledged.
            if ledger.seen[written]?.keys.contains(where: { $0 > token && reached?.contains($0) == true }) == true {
                continue
            }
            if ledger.gaveWay(token, written) { continue }
            // The server left it out, and somebody else had set another by the time that anybody looked.
            if field == "title", ledger.titlesLeftOut.contains(token), reached?.isEmpty == false { continue }
            // Where nothing can be read a false 404 is believed.
            let isGone = ledger.deletedThere.contains(mark) || ledger.isDenied(mark, to: written.client)
            if isGone, model.deletedThere == .delete { continue }
            // Theirs won, as declared; also where it was shown so late that what it left out may have been cleared, over what
            // was edited of it meanwhile as well.
            let mayBeCleared = model.leavesOutTitles && field == "title" && ledger.onServer.contains(mark)
            if model.clash == .theirs, reached != nil || mayBeCleared { continue }
            world.violated("client \(written.client)'s \(field) \(token) of mark \(mark) is lost")
        }
        for (mark, client) in ledger.acknowledgedCreates.sorted(by: { $0.key < $1.key })
        where !ledger.onServer.contains(mark) {
            world.violated("client \(client)'s new object with mark \(mark) is lost")
        }
        for deleted in ledger.acknowledgedDeletes.sorted(by: { $0.place.mark < $1.place.mark }) {
            let mark = deleted.place.mark
            // Nobody can wait for ever for what may come, nor know of both that a person had made.
            let isGone =
                ledger.deletedThere.contains(mark) || !ledger.onServer.contains(mark) || ledger.late.contains(mark)
                || ledger.resent.contains(mark)
                // What a false 404 says to be deleted, and is deleted here while it waits to be created anew, comes back.
                || ledger.isDenied(mark, to: deleted.client)
            if !isGone, model.deletedHere != .recreate {
                world.violated("client \(deleted.client)'s delete of mark \(mark) is lost")
            }
        }
    }
}
