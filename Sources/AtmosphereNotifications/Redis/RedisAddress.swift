internal import AtmosphereExchange

/// Where a Redis is, and how to sign in: `redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE]`, `rediss://…` with TLS.
public struct RedisAddress: Sendable, Hashable {
    /// A name or an address; an IPv6 address without its brackets.
    public var host: String
    /// 6379 by default.
    public var port: Int
    /// The name of an access list (Redis 6); nil for the default user.
    public var user: String?
    /// Never shown by ``description``.
    public var password: String?
    /// The number of the database; 0 by default.
    public var database: Int
    /// Whether the connection is made over TLS (`rediss`).
    public var usesTLS: Bool

    /// A text that is no address. It is not quoted, since a password may stand in it.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// An address without credentials, in database 0, unless told otherwise.
    public init(
        host: String, port: Int = 6379, user: String? = nil, password: String? = nil, database: Int = 0,
        usesTLS: Bool = false
    ) {
        self.host = host
        self.port = port
        self.user = user
        self.password = password
        self.database = database
        self.usesTLS = usesTLS
    }

    /// Reads the written form; user and password may be percent-encoded, an IPv6 address stands in brackets.
    ///
    /// - Throws: ``Failure`` with the reason.
    public init(_ text: String) throws(Failure) {
        let usesTLS = text.hasPrefix("rediss://")
        guard usesTLS || text.hasPrefix("redis://") else {
            throw Failure(description: "the address of Redis begins with redis:// or rediss://")
        }
        var rest = text.dropFirst(usesTLS ? 9 : 8)
        var user: String?
        var password: String?
        if let at = rest.lastIndex(of: "@") {
            let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            user = try parts.first.flatMap { part throws(Failure) in try Self.decoded(part) }
            password = try parts.dropFirst().first.flatMap { part throws(Failure) in try Self.decoded(part) }
            rest = rest[rest.index(after: at)...]
        }
        var database = 0
        if let slash = rest.firstIndex(of: "/") {
            let number = rest[rest.index(after: slash)...]
            guard number.isEmpty || Int(number).map({ (0...1_000_000).contains($0) }) == true else {
                throw Failure(description: "the address of Redis ends with the number of a database, or with nothing")
            }
            database = Int(number) ?? 0
            rest = rest[..<slash]
        }
        var host = rest
        var port = 6379
        let end = rest.hasPrefix("[") ? rest.firstIndex(of: "]") ?? rest.startIndex : rest.startIndex
        if let colon = rest[end...].lastIndex(of: ":") {
            guard let number = Int(rest[rest.index(after: colon)...]), (1...65_535).contains(number) else {
                throw Failure(description: "the port of Redis is a number from 1 to 65535")
            }
            port = number
            host = rest[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"/?#[]".utf8.contains($0) }) else {
            throw Failure(description: "the address of Redis names no host")
        }
        self.init(
            host: String(host), port: port, user: user, password: password, database: database, usesTLS: usesTLS)
    }

    private static func decoded(_ text: Substring) throws(Failure) -> String? {
        if text.isEmpty { return nil }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let value = UInt8(hexadecimal: rest.prefix(2)) else {
                throw Failure(description: "in the address of Redis “%” is followed by two hexadecimal digits")
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension RedisAddress: CustomStringConvertible {
    /// Without the password.
    public var description: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return "\(usesTLS ? "rediss" : "redis")://\(user.map { "\($0)@" } ?? "")\(host):\(port)/\(database)"
    }
}
