internal import Atmosphere

/// Finds the verb that a request is for.
struct SourceRoutes: Sendable {
    enum Verb: Sendable, CaseIterable {
        case list, read, create, update, delete
    }

    /// One of the five operations, the list of what was deleted, an action, several writes at once, or what concerns an edit
    /// lease or the content of an attachment.
    enum Target: Sendable {
        case verb(Verb)
        /// The resource of the match is that of ``Resource/tombstones``.
        case tombstones
        case action(Action)
        case batch(Batch)
        case lease(Lease, LeaseVerb)
        case content(Attachment, ContentVerb)
    }

    struct Match: Sendable {
        var resource: Resource
        var target: Target
        /// `{id}` and other places for the object's own members.
        var fields: [String: String] = [:]
        /// `{entity.field}`, by entity.
        var parents: [String: (field: String, value: String)] = [:]
        /// More is more specific.
        fileprivate var literals = 0
    }

    enum Found: Sendable {
        case match(Match)
        /// The path exists, with these methods.
        case otherMethods([String])
        case nothing
    }

    private let basePath: String
    private struct Entry: Sendable {
        var resource: Resource
        var target: Target
        var method: String
        var segments: [[PathTemplate.Part]]
        /// Of an operation that names its object or its parents in the query or in a header.
        var operation: Operation?
    }

    private let entries: [Entry]

    init(_ api: SourceAPI) {
        basePath = api.basePath
        let declared = api.resources.flatMap { resource in
            Verb.allCases.map { ($0, resource.operation($0)) }.filter(\.1.isOffered).map { verb, operation in
                Entry(
                    resource: resource, target: .verb(verb), method: operation.method,
                    segments: Self.segments(operation.path), operation: operation)
            }
                + resource.actions.map { action in
                    Entry(
                        resource: resource, target: .action(action), method: action.method,
                        segments: Self.segments(action.path))
                }
                + resource.batches.map { batch in
                    Entry(
                        resource: resource, target: .batch(batch), method: batch.method,
                        segments: Self.segments(batch.path))
                }
        }
        let leases = api.resources.flatMap { resource -> [Entry] in
            guard let lease = resource.lease else { return [] }
            let routes: [(LeaseVerb, Operation?)] = [
                (.acquire, lease.acquire), (.renew, lease.renew), (.release, lease.release)
            ]
            return routes.compactMap { verb, route in
                route.map {
                    Entry(
                        resource: resource, target: .lease(lease, verb), method: $0.method,
                        segments: Self.segments($0.path), operation: $0)
                }
            }
        }
        let contents = api.resources.flatMap { resource in
            resource.attachments.flatMap { Self.entries($0, resource) }
        }
        let views = api.resources.flatMap { resource in
            resource.views.compactMap(\.path).map { path in
                Entry(
                    resource: resource, target: .verb(.list), method: resource.list.method,
                    segments: Self.segments(path))
            }
        }
        let lookups = api.resources.compactMap { resource in
            resource.lookup.flatMap { lookup in
                lookup.path.map { ($0, lookup.items ?? resource.items) }
            }.map { path, items in
                var resource = resource
                resource.items = items
                return Entry(resource: resource, target: .verb(.list), method: "GET", segments: Self.segments(path))
            }
        }
        let tombstones = api.resources.compactMap(\.tombstones).map { resource in
            Entry(
                resource: resource, target: .tombstones, method: resource.list.method,
                segments: Self.segments(resource.list.path), operation: resource.list)
        }
        // What the route file says itself goes first.
        let others = api.resources.flatMap { resource in
            api.style.others(resource).map { other in
                Entry(
                    resource: resource, target: other.target, method: other.method,
                    segments: Self.segments(other.path))
            }
        }
        entries = tombstones + declared + leases + contents + views + lookups + others
    }

    func find(_ request: SourceRequest) -> Found {
        guard request.path.hasPrefix(basePath + "/") else { return .nothing }
        let segments = request.path.dropFirst(basePath.count + 1)
            .split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let method = request.method == "HEAD" ? "GET" : request.method
        var best: Match?
        var methods: [String] = []
        for entry in entries where entry.segments.count == segments.count {
            var match = Match(resource: entry.resource, target: entry.target)
            guard zip(entry.segments, segments).allSatisfy({ Self.match($0, $1, &match) }),
                entry.operation.map({ Self.match($0, request, &match) }) ?? true
            else { continue }
            guard entry.method == method else {
                methods.append(entry.method)
                continue
            }
            if case .tombstones = entry.target {
                // It may stand at the path of the list, with a query of its own.
                let query = entry.resource.list.query.filter { $0.template.parts.count == 1 && !$0.value.contains("{") }
                guard query.allSatisfy({ request.query($0.name) == $0.value }) else { continue }
                match.literals += query.count
            }
            if match.literals > best?.literals ?? -1 { best = match }
        }
        if let best { return .match(best) }
        return methods.isEmpty ? .nothing : .otherMethods(methods)
    }

    /// The requests of an attachment. Those for all other members say nowhere which member they are for, unless an update does.
    private static func entries(_ attachment: Attachment, _ resource: Resource) -> [Entry] {
        var requests: [(verb: ContentVerb, method: String, path: PathTemplate)] = []
        let isOneMember = attachment.name != Attachment.others
        if let upload = attachment.upload, isOneMember || upload.setsMember {
            if let ask = upload.ask { requests.append((.askUpload, ask.method, ask.path)) }
            if let path = upload.path, upload.resumable == nil { requests.append((.upload, upload.method, path)) }
            if let path = upload.path, upload.resumable != nil { requests.append((.begin, "POST", path)) }
        }
        if isOneMember {
            switch attachment.download?.place {
            case .path(let path)?: requests.append((.download, "GET", path))
            case .ask(let ask)?: requests.append((.askDownload, ask.method, ask.path))
            case .url?, nil: break
            }
        }
        return requests.map {
            Entry(
                resource: resource, target: .content(attachment, $0.verb), method: $0.method,
                segments: segments($0.path))
        }
    }

    /// Splits a template at its slashes; one at the beginning does not count.
    private static func segments(_ path: PathTemplate) -> [[PathTemplate.Part]] {
        var segments: [[PathTemplate.Part]] = [[]]
        for (index, part) in path.parts.enumerated() {
            guard case .literal(let text) = part else {
                segments[segments.count - 1].append(part)
                continue
            }
            let tail = index == 0 && text.hasPrefix("/") ? text.dropFirst() : text[...]
            for (index, piece) in tail.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
                if index > 0 { segments.append([]) }
                if !piece.isEmpty { segments[segments.count - 1].append(.literal(String(piece))) }
            }
        }
        return segments
    }

    /// Matches what names the object or its parents beside the path.
    private static func match(_ operation: Operation, _ request: SourceRequest, _ match: inout Match) -> Bool {
        let isQuery = [Bool](repeating: true, count: operation.query.count)
        let isHeader = [Bool](repeating: false, count: operation.headers.count)
        return zip(operation.query + operation.headers, isQuery + isHeader).allSatisfy { text, isQuery in
            let parts = text.template.parts
            let names = parts.contains { part in
                switch part {
                case .literal, .field("version"): false
                case .field, .parent: true
                }
            }
            guard names else { return true }
            match.literals += 1
            let value = isQuery ? request.query(text.name) : request.headers[text.name]
            return value.map { Self.match(parts, PercentEncoding.segment($0), &match) } ?? false
        }
    }

    /// Matches a segment with at most one place, with or without literals around it (`{id}.json`).
    private static func match(_ parts: [PathTemplate.Part], _ segment: String, _ match: inout Match) -> Bool {
        var rest = segment[...]
        var parts = parts[...]
        if case .literal(let text)? = parts.first {
            guard rest.hasPrefix(text) else { return false }
            rest = rest.dropFirst(text.count)
            parts.removeFirst()
            match.literals += text.utf8.count
        }
        guard let place = parts.first else { return rest.isEmpty }
        if parts.count == 2, case .literal(let text)? = parts.last {
            guard rest.hasSuffix(text) else { return false }
            rest = rest.dropLast(text.count)
            match.literals += text.utf8.count
            parts.removeLast()
        }
        let value = PercentEncoding.decode(String(rest))
        guard parts.count == 1, !value.isEmpty else { return false }
        switch place {
        case .literal: return false
        case .field(let name): match.fields[name] = value
        case .parent(let entity, let field): match.parents[entity] = (field, value)
        }
        return true
    }
}

extension Resource {
    func operation(_ verb: SourceRoutes.Verb) -> Operation {
        switch verb {
        case .list: list
        case .read: read
        case .create: create
        case .update: update
        case .delete: delete
        }
    }
}
