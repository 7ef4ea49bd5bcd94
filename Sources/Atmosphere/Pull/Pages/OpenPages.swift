import Synchronization

/// The requests for pages of lists whose answers are not here yet: such an answer may show what was made after the request
/// got its number.
final class OpenPages: Sendable {
    private let open = Mutex<Set<Int64>>([])

    /// - Parameter next: takes the number of the request.
    func begin(_ next: () -> Int64) -> Int64 {
        open.withLock { open in
            let sequence = next()
            open.insert(sequence)
            return sequence
        }
    }

    func end(_ sequence: Int64) { open.withLock { _ = $0.remove(sequence) } }

    /// What a request with a lower number has shown was there before the one with this number was sent.
    func floor(of sequence: Int64) -> Int64 { open.withLock { min($0.min() ?? sequence, sequence) } }

    /// An object with its sending mark, and with what was there before it was first sent.
    func numbered(_ marked: LocalObject, _ sequence: Int64) -> LocalObject {
        guard marked.meta.outgoing?.evidence.mayHaveArrived == false || marked.meta.outgoing?.lowWaterMark == nil else {
            return marked
        }
        var object = marked
        object.meta.outgoing?.lowWaterMark = floor(of: sequence)
        return object
    }
}
