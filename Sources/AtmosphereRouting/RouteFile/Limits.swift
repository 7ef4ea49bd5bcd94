/// What is asked of a server at once, and what is taken from it.
package struct Limits: Sendable, Hashable {
    /// Requests on the wire at once; 4 by default.
    package var concurrent = 4
    /// Requests per second; nil for no limit.
    package var rate: Double?
    /// The header that says how many requests are left; at 0 all requests wait.
    package var remaining = "X-RateLimit-Remaining"
    /// The header that says until when: seconds or milliseconds since 1970, seconds from now, or a date. An hour is waited
    /// at most.
    package var reset = "X-RateLimit-Reset"
    /// The largest response body in bytes; 64 MiB by default.
    package var body = 64 << 20
    /// The deepest nesting of a body; 512 by default. More than that is never read.
    package var depth = 512
    /// The most values in one record, and the most items of one page; 1,000,000 by default. A record with more is left
    /// out, for reading it would take memory without bounds.
    package var values = 1_000_000
    /// Failed tries of one change, over all pushes since it was last edited, after which a push tries it once and waits for
    /// no more; 5 by default.
    package var attempts = 5
    /// Pages of one listing; 100,000 by default.
    package var pages = 100_000

    /// The defaults, without a limit of requests per second.
    package init() {}

    /// The limits of depth and size for reading a body.
    package var json: JSONLimits { JSONLimits(depth: depth, bytes: body, values: values) }
}
