/// Builds a ``Value`` from a JSON text, without recursion.
///
/// Members and elements of unfinished containers wait on two piles; a container that ends takes its own off the top in
/// one move, so each array is allocated once, in its final size.
struct ValueDecoder: ~Copyable {
    private let text: JSONScanner
    private var open: [Container] = []
    private var members = Pile<Value.Member>()
    private var elements = Pile<Value>()
    /// For each name on the pile of members a number that equal names share, or 0.
    private var fingerprints = Pile<UInt64>()

    private enum Container {
        /// Where its members or elements begin on their pile.
        case object(Int)
        case array(Int)
    }

    init(_ text: JSONScanner) { self.text = text }

    /// Decodes the one value that stands there, and checks that nothing follows.
    mutating func decode(from start: Int) throws(JSONError) -> Value {
        var index = text.whitespaceEnd(start)
        guard index < text.end else { throw .at(text.end, .truncated, "the text is empty") }
        values: while true {
            guard var value = try startValue(&index) else { continue }
            // A value is complete: it belongs to the innermost container, and may complete that as well.
            while let container = open.last {
                index = text.whitespaceEnd(index)
                let byte = text.byte(at: index)
                switch container {
                case .object(let start):
                    members.top.value = value
                    if byte == UInt8(ascii: ",") {
                        index = try startMember(text.whitespaceEnd(index &+ 1))
                        continue values
                    }
                    guard byte == UInt8(ascii: "}") else {
                        throw text.unexpected("a comma or the end of the object", at: index)
                    }
                    value = .object(takeMembers(from: start))
                case .array(let start):
                    elements.push(value)
                    if byte == UInt8(ascii: ",") {
                        index = text.whitespaceEnd(index &+ 1)
                        continue values
                    }
                    guard byte == UInt8(ascii: "]") else {
                        throw text.unexpected("a comma or the end of the array", at: index)
                    }
                    value = .array(elements.take(from: start))
                }
                index &+= 1
                open.removeLast()
            }
            try text.finish(index)
            return value
        }
    }

    /// Reads a value that is complete at once; nil where one was opened whose first member or element comes next.
    @inline(__always)
    private mutating func startValue(_ index: inout Int) throws(JSONError) -> Value? {
        let start = index
        switch text.byte(at: start) {
        case UInt8(ascii: "\""):
            var hasEscapes = false
            index = try text.stringEnd(start, &hasEscapes)
            return .string(string(start &+ 1..<index &- 1, hasEscapes))
        case UInt8(ascii: "{"):
            guard open.count < text.depthLimit else { throw text.tooDeep(start) }
            index = text.whitespaceEnd(start &+ 1)
            if text.byte(at: index) == UInt8(ascii: "}") {
                index &+= 1
                return .object(Value.Members())
            }
            open.append(.object(members.count))
            index = try startMember(index)
            return nil
        case UInt8(ascii: "["):
            guard open.count < text.depthLimit else { throw text.tooDeep(start) }
            index = text.whitespaceEnd(start &+ 1)
            if text.byte(at: index) == UInt8(ascii: "]") {
                index &+= 1
                return .array([])
            }
            open.append(.array(elements.count))
            return nil
        case let first:
            index = try text.scalarEnd(start)
            switch first {
            case UInt8(ascii: "n"): return .null
            case UInt8(ascii: "t"): return .bool(true)
            case UInt8(ascii: "f"): return .bool(false)
            default: return .number(JSONNumber(unchecked: string(start..<index, false)))
            }
        }
    }

    /// Reads a name, and returns where the value begins.
    @inline(__always)
    private mutating func startMember(_ start: Int) throws(JSONError) -> Int {
        var hasEscapes = false
        let end = try text.nameEnd(start, &hasEscapes)
        let inside = start &+ 1..<end &- 1
        fingerprints.push(hasEscapes ? 0 : fingerprint(inside))
        members.push(Value.Member(name: string(inside, hasEscapes), value: .null))
        return try text.valueStart(end)
    }

    @inline(__always)
    private func string(_ inside: Range<Int>, _ hasEscapes: Bool) -> String {
        if hasEscapes { return JSONText.decode(text.slice(inside)) }
        return String(decoding: text.slice(inside), as: UTF8.self)
    }

    private mutating func takeMembers(from start: Int) -> Value.Members {
        let mayHaveDuplicates = members.count - start > 32 || hasEqualFingerprints(from: start)
        fingerprints.drop(to: start)
        let taken = members.take(from: start)
        return mayHaveDuplicates ? Value.Members(taken) : Value.Members(unique: taken)
    }

    /// The name's length and first bytes: differs for nearly all names of one object, and costs one load.
    @inline(__always)
    private func fingerprint(_ name: Range<Int>) -> UInt64 {
        guard name.lowerBound &+ 8 <= text.end else { return 0 }
        let unused = UInt64(64 &- 8 &* min(7, name.count))
        let head = name.isEmpty ? 0 : (text.word(at: name.lowerBound) &<< unused) &>> unused
        // The eighth byte gives way to the length; an empty name still is no 0.
        return head | UInt64(truncatingIfNeeded: name.count &+ 1) &<< 56
    }

    private func hasEqualFingerprints(from start: Int) -> Bool {
        for index in start..<fingerprints.count {
            let fingerprint = fingerprints[index]
            if fingerprint == 0 { return true }
            for earlier in start..<index where fingerprints[earlier] == fingerprint { return true }
        }
        return false
    }
}

/// A stack that gives away its top in one move.
private struct Pile<Element>: ~Copyable {
    private var storage: UnsafeMutablePointer<Element>
    private var capacity = 16
    private(set) var count = 0

    init() { storage = .allocate(capacity: capacity) }

    deinit {
        storage.deinitialize(count: count)
        storage.deallocate()
    }

    var top: Element {
        get { storage[count - 1] }
        _modify { yield &storage[count - 1] }
    }

    subscript(index: Int) -> Element { storage[index] }

    mutating func push(_ element: consuming Element) {
        if count == capacity { grow() }
        (storage + count).initialize(to: element)
        count &+= 1
    }

    mutating func drop(to start: Int) {
        (storage + start).deinitialize(count: count - start)
        count = start
    }

    mutating func take(from start: Int) -> [Element] {
        let length = count - start
        count = start
        return Array(unsafeUninitializedCapacity: length) { buffer, initialized in
            buffer.baseAddress?.moveInitialize(from: storage + start, count: length)
            initialized = length
        }
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: storage, count: count)
        storage.deallocate()
        storage = larger
        capacity *= 2
    }
}
