/// What one client has asked while everything comes to rest.
struct Effort {
    private(set) var writes = 0
    /// Writes that were refused: what they are told is new.
    private(set) var refusals = 0
    /// Requests that read one object.
    private(set) var reads = 0

    mutating func note(_ call: SimulatedServer.Call, _ answer: SimulatedServer.Answer) {
        if call.path.last == "lock" { return }
        if call.method != "GET" {
            writes += 1
            if answer.status >= 400 || answer.refusedItems > 0 { refusals += 1 }
        } else if call.path.count == 2 || call.path.count == 4 {
            reads += 1
        }
    }
}
