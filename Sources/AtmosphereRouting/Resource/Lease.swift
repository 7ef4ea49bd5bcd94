/// An edit lease: the right to change one object, which the server gives to one client at a time and takes back after a
/// while, as WebDAV does with its locks (RFC 4918 §6). Updates, deletes and queued actions are sent under one.
package struct Lease: Sendable, Hashable {
    /// What the places of a lease's requests begin with: `{lease.token}`.
    package static let placePrefix = "lease"

    /// What stands behind ``placePrefix``: the token of the lease that is held, the time of the request, and the time until
    /// which the lease is asked for.
    package enum Place: String, Sendable, CaseIterable {
        case token, from, until

        /// As it stands in a template.
        package var part: PathTemplate.Part { .parent(entity: Lease.placePrefix, field: rawValue) }
    }

    /// What is done without the lease.
    package enum Mode: String, Sendable, Hashable, CaseIterable {
        /// Nothing is written without a lease: an answer that gives none and refuses none is a failed try.
        case enforced
        /// Clients keep to leases among themselves: where the server gives none, and refuses none, the write goes on.
        case advisory
    }

    /// Where the answer that gives a lease shows its token, and the header that carries it with every write, renewal
    /// and release.
    package struct Token: Sendable, Hashable {
        /// In the body or in a header of the answer.
        package var place: Paging.Place
        /// The name of the header that is sent.
        package var header: String

        /// A token that is found at a place and sent in a header.
        package init(place: Paging.Place, header: String) {
            self.place = place
            self.header = header
        }
    }

    /// The request that asks for the lease. Its path, query, headers and the texts of its body have places: those of the
    /// object, and each ``Place``.
    package var acquire: Operation
    /// nil where a lease is prolonged by acquiring it once more.
    package var renew: Operation?
    /// nil where a lease just runs out.
    package var release: Operation?
    /// How long the server keeps it.
    package var length: Duration
    /// How long after it was given or renewed it is renewed, while it is held.
    package var interval: Duration
    /// nil where the server knows who has the lease without one.
    package var token: Token?
    /// The answers that say that somebody else has it, by their status or, also of a success, by their body.
    package var refusals = [ErrorRules.Rule(statuses: [409, 423], treatment: .conflict)]
    /// How the times are written that requests have; nil for RFC 3339 in UTC, to the second.
    package var format: TimeFormat?
    /// ``Mode/enforced`` by default.
    package var mode = Mode.enforced

    /// RFC 4918 §11.3.
    package static let locked = 423

    /// A lease that is asked for by one request, and runs out by itself.
    ///
    /// - Parameters:
    ///   - length: how long the server keeps a lease.
    ///   - interval: after how long it is renewed; nothing checks that it is shorter.
    package init(acquire: Operation, length: Duration, interval: Duration) {
        self.acquire = acquire
        self.length = length
        self.interval = interval
    }
}
