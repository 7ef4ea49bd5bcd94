public import AtmosphereExchange

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension Webhook {
    /// Reads a file of webhooks: `webhooks:` with a list of maps. Keys, and what they default to, are in the guide
    /// “Webhooks”.
    ///
    /// - Parameters:
    ///   - adapters: the reader of the file's notation must be among them; JSON always is.
    ///   - secret: looks a secret up by its name, without `secret:`.
    /// - Throws: `RouteFileError` with the place of each mistake; what `secret` throws.
    public static func load(
        path: String, adapters: [Adapter], secret: (_ name: String) throws -> Secret
    ) throws -> [Webhook] {
        let place = RoutePlace(source: path, line: 0, column: 0)
        guard let data = FileManager.default.contents(atPath: path), data.count <= 1 << 20 else {
            throw RouteFileError([.init(place: place, message: "the file cannot be read, or is larger than 1 MiB")])
        }
        return try load(bytes: Array(data), source: path, adapters: adapters, secret: secret)
    }

    /// Reads the text of such a file.
    public static func load(
        bytes: [UInt8], source: String, adapters: [Adapter], secret: (_ name: String) throws -> Secret
    ) throws -> [Webhook] {
        let start = RoutePlace(source: source, line: 1, column: 1)
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw RouteFileError([.init(place: start, message: "the text is not UTF-8")])
        }
        let root = try adapters.documentReader(forPath: source).read(bytes, source: source)
        var reader = WebhookReader()
        let drafts = reader.webhooks(root)
        guard reader.problems.isEmpty else { throw RouteFileError(reader.problems) }
        return try drafts.map { draft in
            var webhook = draft.webhook
            webhook.secret = try secret(draft.secret.name)
            guard webhook.secret.value.utf8.count >= 16 else {
                throw RouteFileError([
                    .init(place: draft.place, message: "the secret \(draft.secret) has fewer than 16 characters")
                ])
            }
            return webhook
        }
    }
}

/// Takes the document apart, and notes what is wrong.
private struct WebhookReader {
    struct Draft {
        var webhook: Webhook
        var secret: SecretName
        var place: RoutePlace
    }

    var problems: [RouteFileError.Problem] = []

    private static let keys = [
        "path", "secret", "signature", "time", "delivery", "when", "items", "entity", "id", "version", "attributes",
        "whole", "deleted", "rooms", "users"
    ]

    mutating func webhooks(_ root: RouteNode) -> [Draft] {
        let top = map(root, "the file", keys: ["webhooks"])
        guard let list = top["webhooks"].flatMap(elements), !list.isEmpty else {
            note(root, "“webhooks” must be a list of at least one webhook")
            return []
        }
        let drafts = list.compactMap { webhook($0) }
        var paths: Set<ScalarText> = []
        for draft in drafts where !paths.insert(ScalarText(draft.webhook.path)).inserted {
            problems.append(.init(place: draft.place, message: "the path \(draft.webhook.path) stands twice"))
        }
        return drafts
    }

    private mutating func webhook(_ node: RouteNode) -> Draft? {
        let count = problems.count
        let members = map(node, "a webhook", keys: Self.keys)
        let path = needed(members, "path", node)
        let secret = needed(members, "secret", node)
        let entity = needed(members, "entity", node)
        let id = needed(members, "id", node)
        if let path, let at = members["path"] {
            let isReserved = ["/update", "/notification", "/events", "/healthz", "/metrics", "/stats"].contains(path)
            if !path.hasPrefix("/") || path.contains(where: { "?#{} ".contains($0) }) || isReserved {
                note(at, "“path” must be a path of its own such as /hooks/github")
            }
        }
        if let secret, let at = members["secret"], !secret.hasPrefix("secret:") || secret.count < 8 {
            note(at, "“secret” must be secret:NAME, for the secret itself must not stand in the file")
        }
        let time = members["time"].flatMap { readTime($0) }
        let signature = readSignature(members["signature"], hasTime: time != nil)
        if time != nil, !(signature.before + signature.after).contains(.time), let at = members["time"] {
            note(at, "“time” is believed only where it is signed: give “signature” a “signed” with {time} in it")
        }
        let webhook = Webhook(
            path: path ?? "", secret: Secret(""), signature: signature, time: time,
            delivery: members["delivery"].flatMap { source($0) },
            conditions: members["when"].map { conditions($0) } ?? [],
            items: members["items"].flatMap { selector($0) } ?? JSONPath([]),
            entity: (entity != nil ? members["entity"].flatMap { source($0) } : nil) ?? .text(""),
            id: (id != nil ? members["id"].flatMap { selector($0) } : nil) ?? JSONPath([]),
            version: members["version"].flatMap { selector($0) },
            attributes: members["attributes"].flatMap { selector($0) },
            isWhole: members["whole"].map { isWhole($0, members["attributes"]) } ?? false,
            deleted: members["deleted"].map { conditions($0) } ?? [],
            rooms: members["rooms"].map { sources($0) } ?? [.text("{entity}"), .text("{entity}/{id}")],
            users: members["users"].map { sources($0) } ?? [])
        guard problems.count == count else { return nil }
        return Draft(webhook: webhook, secret: SecretName(String((secret ?? "").dropFirst(7))), place: node.place)
    }

    // MARK: Parts

    private mutating func readSignature(_ node: RouteNode?, hasTime: Bool) -> Webhook.Signature {
        // GitHub's: docs.github.com, “Validating webhook deliveries”.
        var signature = Webhook.Signature(
            header: "x-hub-signature-256", prefix: "sha256=", isBase64: false, before: [], after: [])
        guard let node else { return signature }
        let members = map(node, "“signature”", keys: ["header", "prefix", "encoding", "signed"])
        signature.header = needed(members, "header", node)?.lowercased() ?? ""
        signature.prefix = members["prefix"].flatMap { text($0) } ?? ""
        if let encoding = members["encoding"] {
            if !["hex", "base64"].contains(text(encoding)) { note(encoding, "“encoding” must be hex or base64") }
            signature.isBase64 = text(encoding) == "base64"
        }
        guard let signed = members["signed"], let form = text(signed) else { return signature }
        let halves = form.components(separatedBy: "{body}")
        guard halves.count == 2, hasTime || !form.contains("{time}") else {
            note(signed, "“signed” has {body} once, and {time} where “time” names its header, such as v0:{time}:{body}")
            return signature
        }
        signature.before = Self.parts(halves[0])
        signature.after = Self.parts(halves[1])
        return signature
    }

    private static func parts(_ text: String) -> [Webhook.Signature.Part] {
        Array(text.components(separatedBy: "{time}").map { [.text($0)] }.joined(separator: [.time]))
    }

    private mutating func readTime(_ node: RouteNode) -> (header: String, tolerance: Int64)? {
        let members = map(node, "“time”", keys: ["header", "tolerance"])
        guard let header = needed(members, "header", node) else { return nil }
        var tolerance: Int64 = 300
        if let value = members["tolerance"] {
            guard let seconds = text(value).flatMap({ Int64($0) }), (1...86_400).contains(seconds) else {
                note(value, "“tolerance” must be a number of seconds from 1 to 86400")
                return nil
            }
            tolerance = seconds
        }
        return (header.lowercased(), tolerance)
    }

    /// `{header: NAME, in: […]}`, `{at: SELECTOR, equals: VALUE}`; without a value: that it is there.
    private mutating func condition(_ node: RouteNode) -> Webhook.Condition? {
        let members = map(node, "a condition", keys: ["header", "at", "equals", "in"])
        let source: Webhook.Source
        switch (members["header"], members["at"]) {
        case (let header?, nil): source = .header((text(header) ?? "").lowercased())
        case (nil, let at?):
            guard let path = selector(at) else { return nil }
            source = .selector(path)
        default:
            note(node, "a condition has “header” or “at”")
            return nil
        }
        switch (members["equals"], members["in"]) {
        case (let value?, nil): return Webhook.Condition(source: source, values: [value.value])
        case (nil, let list?): return Webhook.Condition(source: source, values: (elements(list) ?? [list]).map(\.value))
        default:
            note(node, "a condition has “equals” or “in”")
            return nil
        }
    }

    private mutating func conditions(_ node: RouteNode) -> [Webhook.Condition] {
        (elements(node) ?? [node]).compactMap { condition($0) }
    }

    private mutating func sources(_ node: RouteNode) -> [Webhook.Source] {
        (elements(node) ?? [node]).compactMap { source($0) }
    }

    private mutating func source(_ node: RouteNode) -> Webhook.Source? {
        if case .map = node.content {
            let members = map(node, "a source", keys: ["header"])
            return needed(members, "header", node).map { .header($0.lowercased()) }
        }
        guard let text = text(node) else {
            note(node, "a text, a selector that begins with $, or {header: NAME} is needed")
            return nil
        }
        return text.hasPrefix("$") ? selector(node).map { .selector($0) } : .text(text)
    }

    private mutating func selector(_ node: RouteNode) -> JSONPath? {
        guard let text = text(node) else {
            note(node, "a path in the body such as $.issue.id is needed")
            return nil
        }
        do { return try JSONPath(text) } catch {
            note(node, "not a path in the body: \(error.message)")
            return nil
        }
    }

    private mutating func isWhole(_ node: RouteNode, _ attributes: RouteNode?) -> Bool {
        let text = text(node)
        if text != "true", text != "false" { note(node, "“whole” must be true or false") }
        if text == "true", attributes == nil { note(node, "“whole” says something of “attributes”, which is missing") }
        return text == "true"
    }

    // MARK: Nodes

    private mutating func map(_ node: RouteNode, _ name: String, keys: [String]) -> [String: RouteNode] {
        guard case .map(let entries) = node.content else {
            note(node, "\(name) must be a map")
            return [:]
        }
        var members: [String: RouteNode] = [:]
        for entry in entries where !entry.key.hasPrefix("x-") {
            guard keys.contains(entry.key) else {
                problems.append(
                    .init(
                        place: entry.place,
                        message: "unknown key “\(entry.key)”; known here: \(keys.joined(separator: ", "))"))
                continue
            }
            guard members[entry.key] == nil else {
                problems.append(.init(place: entry.place, message: "the key “\(entry.key)” stands twice"))
                continue
            }
            members[entry.key] = entry.node
        }
        return members
    }

    private func elements(_ node: RouteNode) -> [RouteNode]? {
        if case .list(let elements) = node.content { elements } else { nil }
    }

    private func text(_ node: RouteNode) -> String? {
        if case .scalar(let text, _) = node.content, !text.isEmpty { text } else { nil }
    }

    private mutating func needed(_ members: [String: RouteNode], _ key: String, _ node: RouteNode) -> String? {
        guard let value = members[key] else {
            note(node, "“\(key)” is missing")
            return nil
        }
        guard let text = text(value) else {
            note(value, "“\(key)” must be a text")
            return nil
        }
        return text
    }

    private mutating func note(_ node: RouteNode, _ message: String) {
        problems.append(.init(place: node.place, message: message))
    }
}
