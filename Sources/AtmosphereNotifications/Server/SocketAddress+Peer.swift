#if Notifications
    import NIOCore

    extension Channel {
        /// Who is at the other end; empty where nobody knows.
        var peer: String { remoteAddress?.peer ?? "" }
    }

    extension SocketAddress {
        /// What counts as one where limits are for each address: an IPv4 address, or the first 64 bits of an IPv6 one. One
        /// network has all that begin with these (RFC 4291 §2.5.4), and could use a new one for each connection. Addresses
        /// of a link (`fe80::`) all begin so, whosever they are: they count one by one.
        var peer: String {
            guard case .v6(let address) = self else { return ipAddress ?? "" }
            // Behind family, port and flow, as all systems have it (RFC 3493 §3.3).
            let bytes = withUnsafeBytes(of: address.address) { Array($0[8..<24]) }
            // An IPv4 address that a socket for both writes so (RFC 4291 §2.5.5.2).
            if bytes[..<12] == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] {
                return bytes[12...].map { String($0) }.joined(separator: ".")
            }
            if bytes[0] == 0xFE, bytes[1] & 0xC0 == 0x80 { return ipAddress ?? "" }
            let words = stride(from: 0, to: 8, by: 2).map {
                String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
            }
            return words.joined(separator: ":") + "::/64"
        }
    }
#endif
