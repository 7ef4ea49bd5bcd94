internal import Atmosphere

/// One range of bytes that a request asks for (RFC 9110 §14.1.2), of a content whose length is known.
struct ByteRange: Equatable, Sendable {
    var first: Int64
    /// The last one, inclusive.
    var last: Int64

    enum Reading: Equatable {
        /// The whole content: there is no range, or one that may be ignored.
        case whole
        case part(ByteRange)
        /// Nothing of the content is in the range.
        case none
    }

    /// Several ranges, other units and what cannot be read are ignored, as they may be.
    static func reading(_ header: String?, of length: Int64) -> Reading {
        guard let header, let (unit, text) = header.divided(at: "="), unit.lowercased() == "bytes",
            let (start, end) = String(text).divided(at: "-"), !end.utf8.contains(UInt8(ascii: ","))
        else { return .whole }
        let (from, to) = (String(start).filter { $0 != " " }, String(end).filter { $0 != " " })
        if from.isEmpty {
            guard to.isDigits, let count = Int64(to) else { return .whole }
            guard count > 0, length > 0 else { return .none }
            return .part(ByteRange(first: max(0, length - count), last: length - 1))
        }
        guard from.isDigits, let first = Int64(from), to.isEmpty || to.isDigits else { return .whole }
        let last = to.isEmpty ? length - 1 : min(Int64(to) ?? length - 1, length - 1)
        guard first < length else { return .none }
        return first <= last ? .part(ByteRange(first: first, last: last)) : .whole
    }

    var length: Int64 { last - first + 1 }

    /// These bytes of a body.
    func part(of body: ResponseBody) -> ResponseBody {
        let passed = Counter()
        let (first, end) = (first, last + 1)
        return ResponseBody {
            while passed.value < end, let chunk = try await body.next() {
                let begun = passed.value
                let now = passed.add(chunk.count)
                guard now > first else { continue }
                let from = Int(max(0, first - begun))
                let to = Int(min(Int64(chunk.count), end - begun))
                return Array(chunk[from..<to])
            }
            return nil
        }
    }
}
