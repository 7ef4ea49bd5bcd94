/// Where an interrupted listing goes on, and what tells whether rows have moved since.
package struct PullPosition: Hashable, Sendable {
    /// The request target of the next page.
    package var target: String
    /// How many objects the server said there were in all; nil where it does not say.
    package var total: Int64?
    /// The row that the next page begins with once more; nil where pages do not overlap.
    package var last: Row?

    /// A row of a list, as it was when a page was read.
    package struct Row: Hashable, Sendable {
        /// The identifier's text.
        package var id: String
        /// What the row says of its last change: the cursor's member or the version, as the server writes it; nil where it
        /// has neither. A row that has changed since may have moved.
        package var change: String?

        /// A row that says nothing of its changes, by default.
        package init(id: String, change: String? = nil) {
            self.id = id
            self.change = change
        }
    }

    /// A place in a list of which the server tells no total, and whose pages do not overlap, by default.
    package init(target: String, total: Int64? = nil, last: Row? = nil) {
        self.target = target
        self.total = total
        self.last = last
    }

    /// What follows tells whether a row has moved over this place, whatever came and went meanwhile.
    package var isWatched: Bool { last != nil }
}
