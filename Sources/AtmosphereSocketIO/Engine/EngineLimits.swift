/// How much one Engine.IO connection may bring or hold.
public struct EngineLimits: Sendable, Hashable {
    /// The longest polling payload and the longest WebSocket message, in bytes; told to clients as `maxPayload`.
    /// 1,000,000 by default, as in the reference implementation.
    public var payloadBytes: Int
    /// The most packets of one payload; 16,384 by default. The specification has no such limit: a payload of
    /// 1,000,000 bytes could bring half a million packets, which take thirty times their bytes when decoded.
    public var packetsPerPayload: Int
    /// The most bytes that may wait to be sent; what goes beyond closes the connection. 4,000,000 by default.
    public var bufferedBytes: Int

    /// Takes what differs from the defaults.
    public init(payloadBytes: Int = 1_000_000, packetsPerPayload: Int = 16_384, bufferedBytes: Int = 4_000_000) {
        self.payloadBytes = payloadBytes
        self.packetsPerPayload = packetsPerPayload
        self.bufferedBytes = bufferedBytes
    }

    /// 1,000,000 bytes and 16,384 packets a payload, 4,000,000 bytes waiting.
    public static let `default` = EngineLimits()
}
