package import Atmosphere

extension SyncError {
    /// The message, and what the server said of single fields where the message does not say it.
    package var lines: [String] {
        [message] + (failure?.fields ?? []).lines(missingIn: message)
    }

    /// Of what waits for the server's answer: what may have been done that no answer tells of.
    ///
    /// - Parameters:
    ///   - entity: of what may be changed then; nil where nobody knows.
    ///   - isDelete: not every pull shows what is gone.
    package func telling(of entity: String?, isDelete: Bool = false) -> SyncError {
        var error = self
        if mayHaveHappened {
            let remedy =
                isDelete
                ? ": delete it once more, which tells" : entity.map { ": atmos pull \($0.shellWord) shows" } ?? ""
            error.message += "; the server may have done it all the same\(remedy)"
        } else if isPutOff {
            error.message += "; nothing of this was done or queued, and what was queued before is still"
        }
        return error
    }

    /// Of a create that waits for the server's answer: without one nobody knows whether the object exists, and nothing
    /// here remembers it.
    package func telling(ofNew entity: String) -> SyncError {
        var error = self
        if mayHaveHappened {
            error.message +=
                "; the server may have created it all the same, and nothing is queued: run atmos pull "
                + "\(entity.shellWord), look for it with atmos list \(entity.shellWord), and create it "
                + "again only if it is not there"
        } else if isPutOff {
            error.message += "; nothing was created, and nothing is queued"
        }
        return error
    }
}
