/// How far the pull of one scope has come: what the pulls before have left, and the listing that is under way.
///
/// Seven fields belong to neither of the two. A pull that left something out is not complete, and is under way no more, but these
/// say what is here of it: whose it may be (`begunAs`), of which list it is (`server`, `request`), how that was read (`origin`,
/// `reading`), which objects a view has shown (`members`), and that the server has refused the list (`refused`). And a list in the order of its cursor moves the `checkpoint` with each page.
public struct PullCursor: Hashable, Sendable {
    /// What the next incremental pull sends, as the server wrote it; nil where everything is to be asked for.
    package var checkpoint: String?
    /// The last complete pull; nil before the first one.
    package var complete: Complete?
    /// The listing that is under way; nil where the next pull has none to go on with.
    package var underway: Underway?
    /// Who the server took us for when the listing began that is under way, or when something was sent before the first listing;
    /// nil where no complete pull is outstanding. Some of what is here may be this one's.
    package var begunAs: String?
    /// The server of the listing that began last: the route file's base without its scheme.
    package var server: String?
    /// What the listing that began last asked for: the request of the list's first page without a checkpoint, the parameter that
    /// a checkpoint goes in, and a digest of the declared headers. The checkpoint of another list means nothing.
    package var request: String?
    /// Where the listing that began last takes its checkpoint from (`since.from`): what stands elsewhere is none. nil where there
    /// is nowhere, or an earlier version has listed.
    package var origin: String?
    /// A digest of the settings by which the listing that began last is read; nil where an earlier version has listed.
    package var reading: String?
    /// The identifiers of a view's objects, in its order; nil for a list.
    package var members: [String]?
    /// When the server refused the list at last (403, say); nil where the last pull was shown it. Asked for again with each pull,
    /// it makes no other list be asked for as a whole.
    package var refused: Timestamp?

    /// A cursor as given; without arguments that of a list that was never pulled.
    package init(
        checkpoint: String? = nil, complete: Complete? = nil, underway: Underway? = nil, begunAs: String? = nil,
        server: String? = nil, request: String? = nil, origin: String? = nil, reading: String? = nil,
        members: [String]? = nil, refused: Timestamp? = nil
    ) {
        self.checkpoint = checkpoint
        self.complete = complete
        self.underway = underway
        self.begunAs = begunAs
        self.server = server
        self.request = request
        self.origin = origin
        self.reading = reading
        self.members = members
        self.refused = refused
    }

    /// A pull that came to its end.
    package struct Complete: Hashable, Sendable {
        /// When the last complete pull ended.
        package var ended: Timestamp
        /// When the last complete pull of everything ended in which no row can have moved unseen, as far as the list tells, and
        /// which has looked for what is absent; nil where none has.
        package var fullEnded: Timestamp?
        /// Who the server took us for (`auth.identity`); nil where the route file does not ask.
        package var identity: String?
        /// The entity tag of the list's only page; nil where there is none, or the list has to be heard again.
        package var tag: Tag?
        /// A digest of the settings by which all that is here of the list was read; nil where an earlier version has read it.
        package var reading: String?

        /// A pull that nobody asks an identity of, and whose list has no tag, by default.
        package init(
            ended: Timestamp, fullEnded: Timestamp? = nil, identity: String? = nil, tag: Tag? = nil,
            reading: String? = nil
        ) {
            self.ended = ended
            self.fullEnded = fullEnded
            self.identity = identity
            self.tag = tag
            self.reading = reading
        }
    }

    /// The entity tag of a list.
    package struct Tag: Hashable, Sendable {
        /// The tag, as the server wrote it.
        package var text: String
        /// The request that the tag belongs to: no other is asked for with the tag.
        package var target: String
        /// The start sequence of the request that brought the tag: it does not stand for what was confirmed later past the list.
        /// 0 where an earlier version has stored it.
        package var sequence: Int64

        package init(text: String, target: String, sequence: Int64 = 0) {
            self.text = text
            self.target = target
            self.sequence = sequence
        }
    }

    /// A listing that has not come to its end.
    package struct Underway: Hashable, Sendable {
        /// The start sequence of the listing; objects confirmed later are not missing from it.
        package var number: Int64
        /// The listing asks for everything, not for changes.
        package var isFull: Bool
        /// The tentative checkpoint: the checkpoint as soon as the last page is stored; nil where no page has told one.
        package var tentative: String?
        /// The page to go on with after an interruption; nil where the listing begins anew then.
        package var position: PullPosition?

        /// A listing that has shown no page, by default.
        package init(number: Int64, isFull: Bool, tentative: String? = nil, position: PullPosition? = nil) {
            self.number = number
            self.isFull = isFull
            self.tentative = tentative
            self.position = position
        }
    }

    /// Who the server took us for in the last complete pull; nil where none has ended, or nobody asked.
    package var identity: String? { complete?.identity }

    /// Whether something that is here of the list was read by other settings than these.
    package func isRead(otherwiseThan reading: String) -> Bool {
        let known = complete == nil ? self.reading : complete?.reading
        return known.map { $0 != reading } ?? false
    }

    /// Something of the list was stored, or it came to its end.
    package var hasListed: Bool {
        complete != nil || underway?.position != nil || checkpoint != nil || members?.isEmpty == false
    }

    /// The next pull asks for everything.
    package mutating func forgetPlaces() {
        checkpoint = nil
        underway = nil
        complete?.fullEnded = nil
        complete?.tag = nil
    }
}
