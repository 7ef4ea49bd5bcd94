/// Keys and what they stand for: lines of `key name pattern…`, `#` for remarks.
///
/// For clients the name is the user and the patterns are rooms; for publishers the name is for the log. Several keys may
/// have one name, so that a new key can be given out before the old one is taken away.
public struct KeyFile: Sendable {
    private typealias Entry = (key: [UInt8], identity: ClientIdentity)

    /// By a hash that nobody outside can compute, so that ten thousand keys are looked through as quickly as one and
    /// the time still tells nothing of how near a guess was.
    private var entries: [Int: [Entry]] = [:]

    /// A file that cannot be used.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// `keys:3: reason`
        public let description: String
    }

    /// Whether there is no key in it: nobody is let in.
    public var isEmpty: Bool { entries.isEmpty }

    /// Reads the text of such a file; keys have at least 16 characters, and each stands there once.
    ///
    /// - Parameters:
    ///   - name: of the file, for messages.
    ///   - mayBeEmpty: whether it may have no key, as one whose last key is taken away; otherwise there must be one.
    /// - Throws: ``Failure`` with the line, which is not quoted.
    public init(_ text: String, name: String, mayBeEmpty: Bool = false) throws(Failure) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            // By scalars: a space with a combining mark behind it is a space as well.
            let words = line.unicodeScalars.split(whereSeparator: { $0 == " " || $0 == "\t" }).map { Substring($0) }
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            guard words.count >= 2 else {
                throw Failure(description: "\(name):\(index + 1): a line has a key and a name, and perhaps rooms")
            }
            guard first.utf8.count >= 16 else {
                throw Failure(description: "\(name):\(index + 1): the key has fewer than 16 characters")
            }
            let key = Array(first.utf8)
            guard !(entries[Self.hash(key)] ?? []).contains(where: { $0.key == key }) else {
                throw Failure(description: "\(name):\(index + 1): the key stands on a line above already")
            }
            if let problem = ClientIdentity.problem(ofUser: String(words[1])) {
                throw Failure(description: "\(name):\(index + 1): the name \(problem)")
            }
            let identity = ClientIdentity(user: String(words[1]), rooms: words.dropFirst(2).map(String.init))
            entries[Self.hash(key), default: []].append((key, identity))
        }
        guard mayBeEmpty || !entries.isEmpty else { throw Failure(description: "\(name): there is no key in it") }
    }

    /// The name and patterns of a key; nil where there is no such key. Takes as long for a wrong key as for a right one.
    public func identity(of key: String) -> ClientIdentity? {
        let bytes = Array(key.utf8)
        var found: ClientIdentity?
        for entry in entries[Self.hash(bytes)] ?? [] where Self.areSame(entry.key, bytes) { found = entry.identity }
        return found
    }

    private static func hash(_ bytes: [UInt8]) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes)
        return hasher.finalize()
    }

    private static func areSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        var difference = left.count ^ right.count
        for index in 0..<left.count { difference |= Int(left[index] ^ (index < right.count ? right[index] : 0)) }
        return difference == 0
    }
}
