/// A page that was read, with what is to be known to store it.
struct ReadPage: Sendable {
    var page: Page
    /// Where the list goes on behind it.
    var next: PullPosition?
    var repeats: ListingMachine.Repeats
    var listing: PulledList
    var notes: ListingNotes
}
