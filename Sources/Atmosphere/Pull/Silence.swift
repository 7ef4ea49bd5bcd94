/// Requests that got no answer in time, or were told “later” and not until when. One may be a slow list or a slow object; of two
/// the origin is silent.
struct Silence: Sendable {
    private var count = 0

    var isOrigin: Bool { count > 1 }

    mutating func note() { count += 1 }

    mutating func end() { count = 0 }
}
