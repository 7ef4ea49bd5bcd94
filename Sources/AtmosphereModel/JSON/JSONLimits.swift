/// How much JSON one text may hold. A number has 4,096 bytes at most, whatever the limits.
public struct JSONLimits: Sendable, Hashable {
    /// The deepest nesting of arrays and objects; 512 by default, and never more, because values are compared and freed
    /// by recursion.
    public var depth: Int
    /// The longest text in bytes; 64 MiB by default.
    public var bytes: Int

    /// The most values that are made of one text, of one record of a page, or of what stands beside the records: members,
    /// elements and what they stand in; 1,000,000 by default. A page has no more items either. A value takes far more memory
    /// than the three bytes that it can be written in.
    public var values: Int

    /// Takes the limits as given; see ``depth`` for why none should be deeper than the default.
    public init(depth: Int = 512, bytes: Int = 64 << 20, values: Int = 1_000_000) {
        self.depth = depth
        self.bytes = bytes
        self.values = values
    }

    /// 64 MiB, nested 512 deep, a million values.
    public static let `default` = JSONLimits()
    /// For bytes that were checked before.
    package static let unlimited = JSONLimits(depth: .max, bytes: .max, values: .max)

    /// The deepest ``Value``, whatever the limits say.
    ///
    /// Comparing, hashing, writing and freeing a value take stack for each level. In a release build a thread with
    /// 512 KiB, the least that Apple's systems give, is enough for 1,500 levels of the hungriest of these.
    package static let valueDepth = 512

    /// The same limits, with no more depth than a ``Value`` may have.
    package var forValues: JSONLimits {
        JSONLimits(depth: min(depth, Self.valueDepth), bytes: bytes, values: values)
    }
}
