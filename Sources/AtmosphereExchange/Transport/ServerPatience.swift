/// Reads how long a server asks its clients to wait, from the headers of an answer.
package struct ServerPatience: Sendable {
    /// The headers that say how many requests are left, and when there will be more.
    package let limits: Limits
    /// By the clock of this machine.
    package let now: Timestamp

    private let most: Duration

    package init(limits: Limits, now: Timestamp) { self.init(limits: limits, now: now, most: Self.longest) }

    private init(limits: Limits, now: Timestamp, most: Duration) {
        self.limits = limits
        self.now = now
        self.most = most
    }

    /// Nobody waits longer for one answer, whatever it says.
    package static let longest = Duration.seconds(3600)

    /// When the next request may be sent, by what any answer may say: `Backoff` in seconds, or that no request is left
    /// until the limit starts anew. nil where the answer asks for nothing.
    package func pause(onAny headers: HeaderFields) -> Timestamp? {
        if let pause = headers["Backoff"].flatMap({ delay($0, headers) }), pause > now { return pause }
        guard let remaining = headers[limits.remaining].flatMap(Self.number), remaining <= 0 else { return nil }
        return headers[limits.reset].flatMap { reset($0, headers) }
    }

    /// `Retry-After` (RFC 9110 §10.2.3): seconds, also with a fraction, or a date. nil where it is missing or cannot be
    /// read.
    package func retryAfter(_ headers: HeaderFields) -> Timestamp? {
        headers["Retry-After"].flatMap { delay($0, headers) }
    }

    /// How long `Retry-After` asks to wait, an hour at most; nil where it is missing or cannot be read.
    package static func retryAfter(_ headers: HeaderFields, now: Timestamp) -> Duration? {
        ServerPatience(limits: Limits(), now: now).retryAfter(headers).map { now.duration(to: $0) }
    }

    /// Whether an answer asks to wait longer than ``longest``, and is not heeded beyond that.
    package func asksForLonger(_ headers: HeaderFields) -> Bool {
        let uncut = ServerPatience(limits: limits, now: now, most: .seconds(100 * 366 * 86_400))
        let end = now.advanced(by: Self.longest)
        return [uncut.pause(onAny: headers), uncut.retryAfter(headers)].contains { pause in
            pause.map { $0 > end } ?? false
        }
    }

    private func delay(_ text: String, _ headers: HeaderFields) -> Timestamp? {
        if let seconds = Self.number(text) { return later(seconds) }
        return HTTPDate.parse(text).map { at($0.timestamp, headers) }
    }

    /// A time by the server's clock, which the answer shows (`Date`, RFC 9110 §6.6.1), as one by the clock of this machine; a
    /// second away at least, for no time is told more exactly.
    private func at(_ time: Timestamp, _ headers: HeaderFields) -> Timestamp {
        let theirs = headers["Date"].flatMap(HTTPDate.parse)?.timestamp ?? now
        return capped(now.advanced(by: max(theirs.duration(to: time), .seconds(1))))
    }

    /// Servers write the start of the next period as seconds or milliseconds since 1970, as a date, or as the seconds
    /// until then; a number that would be years away is a time and no delay.
    private func reset(_ text: String, _ headers: HeaderFields) -> Timestamp? {
        guard let number = Self.number(text) else {
            return (HTTPDate.parse(text) ?? Instant(text)).map { at($0.timestamp, headers) }
        }
        if number > 100_000_000_000 { return at(Timestamp(milliseconds: Int64(number)), headers) }
        if number > 100_000_000 { return at(Timestamp(milliseconds: Int64(number * 1000)), headers) }
        return later(number)
    }

    private func later(_ seconds: Double) -> Timestamp {
        capped(now.advanced(by: .milliseconds(Int64((seconds * 1000).rounded(.up)))))
    }

    private func capped(_ time: Timestamp) -> Timestamp { min(max(time, now), now.advanced(by: most)) }

    /// A decimal number that is not negative. What is absurdly large counts as 10¹⁴.
    private static func number(_ text: String) -> Double? {
        let trimmed = text.drop { $0 == " " }
        guard trimmed.first?.isASCII == true, trimmed.first?.isNumber == true, let number = Double(trimmed) else {
            return nil
        }
        return min(number, 1e14)
    }
}
