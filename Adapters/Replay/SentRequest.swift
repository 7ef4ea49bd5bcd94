internal import AtmosphereExchange

/// A request that is compared with what a cassette holds.
struct SentRequest {
    var method: String
    /// As it was sent: of what was left out any value fits.
    var url: SentURL
    var headers: HeaderFields
    /// As it was sent, and as a cassette would hold it, by names that a route file may have declared to be no secrets.
    var bodies: [CassetteBody]

    /// One thing in which a request is not what was recorded.
    struct Difference {
        var text: String
        /// How far it leads away; the nearest exchange has the least sum.
        var weight: Int
    }

    func differences(
        from recorded: Cassette.Exchange, _ matching: ReplayTransport.Matching
    ) -> [Difference] {
        let other = SentURL(recorded.url)
        var found: [Difference] = []
        if method != recorded.method {
            found.append(Difference(text: "the method is recorded as \(recorded.method)", weight: 40))
        }
        if matching.isStrict, !Self.fits(url.origin, other.origin) {
            found.append(Difference(text: "the origin is recorded as \(URLText.display(other.origin))", weight: 5))
        }
        if !Self.fits(url.path, other.path) {
            found.append(Difference(text: "the path is recorded as \(other.path)", weight: 100))
        }
        found += queryDifferences(other.query)
        guard matching.isStrict else { return found }
        for name in Set((headers.fields + recorded.headers.fields).map { $0.name.lowercased() }).sorted()
        where headers.values(of: name) != recorded.headers.values(of: name) {
            let values = recorded.headers.values(of: name)
            let was = values.isEmpty ? "is not recorded" : "is recorded as \(values.joined(separator: ", "))"
            found.append(Difference(text: "the header \(name) \(was)", weight: 2))
        }
        let texts = bodies.map { Self.bodyDifference($0, recorded.body) }
        if !texts.contains(nil), let text = texts.last ?? nil { found.append(Difference(text: text, weight: 3)) }
        return found
    }

    /// Segment by segment; any text does for what was not written of one.
    private static func fits(_ path: String, _ recorded: String) -> Bool {
        if path == recorded { return true }
        guard recorded.contains(CassetteRedaction.mark) else { return false }
        let (sent, was) = (path.split(separator: "/"), recorded.split(separator: "/"))
        return sent.count == was.count
            && zip(sent, was).allSatisfy { segment, recorded in
                guard let mark = recorded.firstRange(of: CassetteRedaction.mark) else { return segment == recorded }
                return segment.hasPrefix(recorded[..<mark.lowerBound])
                    && segment.hasSuffix(recorded[mark.upperBound...])
            }
    }

    private func queryDifferences(_ all: [SentURL.Item]) -> [Difference] {
        // What has no value and was not written fits what has none either, and is not recorded otherwise.
        let recorded = all.filter { $0.text != CassetteRedaction.mark }
        var unwritten = all.count - recorded.count
        let query = url.query.filter { item in
            guard unwritten > 0, item.value.isEmpty, !recorded.contains(item) else { return true }
            unwritten -= 1
            return false
        }
        return Set((query + recorded).map(\.name)).sorted().compactMap { name in
            let values = { (items: [SentURL.Item]) in items.filter { $0.name == name }.map(\.value) }
            let (sent, was) = (values(query), values(recorded))
            if sent == was || (sent.count == was.count && was.allSatisfy { $0 == CassetteRedaction.mark }) {
                return nil
            }
            let text =
                if was.isEmpty {
                    "the query parameter \(name) is not recorded"
                } else if sent.isEmpty {
                    "the query parameter \(name) is recorded, and was not sent"
                } else {
                    "the query parameter \(name) is recorded as \(was.joined(separator: ", "))"
                }
            return Difference(text: text, weight: 10)
        }
    }

    /// Names members, and never quotes a body.
    private static func bodyDifference(_ body: CassetteBody, _ recorded: CassetteBody) -> String? {
        switch (body, recorded) {
        case (.json(let sent, _), .json(let was, _)): return jsonDifference(sent, was)
        case (.empty, .empty): return nil
        case (.empty, _): return "a body is recorded, and none was sent"
        case (_, .empty): return "no body is recorded, and one was sent"
        case (_, .text(CassetteRedaction.mark)): return nil
        case (.json(let sent, _), .text(let text)):
            // Spaced JSON was kept as a text once.
            guard let was = try? Value(json: Array(text.utf8)) else { return "the body differs" }
            return jsonDifference(sent, was)
        case (.text(let sent), .text(let was)): return isSame(sent, was) ? nil : "the body differs"
        default: return body.data == recorded.data ? nil : "the body differs"
        }
    }

    private static func jsonDifference(_ sent: Value, _ was: Value) -> String? {
        let places = paths(sent, was, at: "")
        if places.isEmpty { return nil }
        let more = places.count > 5 ? " and \(places.count - 5) more" : ""
        return "the body differs at \(places.prefix(5).joined(separator: ", "))\(more)"
    }

    /// The same text, or the same form but for what was not written.
    private static func isSame(_ sent: String, _ was: String) -> Bool {
        if sent == was { return true }
        let (sent, was) = (sent.split(separator: "&"), was.split(separator: "&"))
        return sent.count == was.count
            && zip(sent, was).allSatisfy { pair, recorded in
                pair == recorded
                    || recorded.hasSuffix("=\(CassetteRedaction.mark)")
                        && pair.prefix { $0 != "=" } == recorded.prefix { $0 != "=" }
            }
    }

    private static func paths(_ sent: Value, _ was: Value, at path: String) -> [String] {
        // Any secret does for one that was not written.
        if sent == was || was == .string(CassetteRedaction.mark) { return [] }
        if let sent = sent.members, let was = was.members {
            return Set(sent.names + was.names).sorted().flatMap { name in
                let place = path.isEmpty ? name : "\(path).\(name)"
                guard let first = sent[name], let second = was[name] else { return [place] }
                return paths(first, second, at: place)
            }
        }
        if let sent = sent.array, let was = was.array, sent.count == was.count {
            return sent.indices.flatMap { paths(sent[$0], was[$0], at: "\(path)[\($0)]") }
        }
        return [path.isEmpty ? "its root" : path]
    }
}
