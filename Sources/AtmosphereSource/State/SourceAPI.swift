package import Atmosphere

/// What a source needs of a route file.
package struct SourceAPI: Sendable {
    package var resources: [Resource]
    /// The path of the route file's `base`, without a trailing slash: `/tasks/v1`.
    package var basePath: String
    package var auth: AuthSettings
    /// A key that each request must have beside ``auth``.
    package var key: AuthSettings?
    /// Which requests must show ``auth``.
    package var signed = SignedRequests.all
    package var identity: IdentityCheck?
    /// How bodies are read and written.
    var codings = SourceCodings()
    /// What the API's family does beyond the route file.
    var style: any SourceStyle = UsualSource()
    /// The status of an answer that lists what is wrong by field.
    package var invalidStatus: Int { style.invalidStatus }

    package init(
        resources: [Resource], basePath: String = "", auth: AuthSettings = .none, identity: IdentityCheck? = nil
    ) {
        self.resources = resources
        self.basePath = basePath
        self.auth = auth
        self.identity = identity
    }

    /// - Throws: ``RESTSourceError`` `missingAdapter` for a format or coding that no adapter knows, `cannotServe` where a
    ///   path does not say what is asked for, or a resumable upload is begun by a question.
    package init(_ file: RouteFile, adapters: [Adapter] = []) throws(RESTSourceError) {
        self.init(
            resources: file.resources, basePath: Self.path(of: file.base), auth: file.auth, identity: file.identity)
        key = file.key
        signed = file.signed
        codings = try SourceCodings(for: file.resources, adapters: adapters)
        style = Self.styles[file.style] ?? UsualSource()
        try checkPaths()
        try checkUploads()
    }

    /// What is asked for must show from the method and the path.
    private func checkPaths() throws(RESTSourceError) {
        for (place, resource) in resources.enumerated() {
            let list = resource.list
            let other = resources[..<place].first {
                $0.list.isOffered && $0.list.path == list.path && $0.list.method == list.method
            }
            if list.isOffered, let other {
                throw .sharedPath(list.path.description, "the lists of \(other.name) and \(resource.name)")
            }
            let create = resource.create
            if create.isOffered,
                resource.batches.contains(where: { $0.path == create.path && $0.method == create.method })
            {
                throw .sharedPath(create.path.description, "creates of \(resource.name) and their batch")
            }
        }
    }

    /// The answer to a question does not say how long a content is that comes in parts.
    private func checkUploads() throws(RESTSourceError) {
        for resource in resources {
            for attachment in resource.attachments where attachment.upload?.resumable != nil {
                if attachment.upload?.ask != nil { throw .askedAndResumable(attachment.name, of: resource.name) }
            }
        }
    }

    private static let styles: [String: any SourceStyle] = [
        "rails": RailsSource(), "google-tasks": GoogleTasksSource(), "json-api": JSONAPISource()
    ]

    package func resource(_ name: String) -> Resource? { resources.first { $0.name == name } }

    /// What stands between the host and the query of a URL.
    static func path(of url: String) -> String {
        var rest = url[...].utf8
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")), rest[colon...].starts(with: "://".utf8) {
            rest = rest[colon...].dropFirst(3)
        }
        rest = rest.drop { $0 != UInt8(ascii: "/") }
        rest = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        while rest.last == UInt8(ascii: "/") { rest = rest.dropLast() }
        return String(Substring(rest))
    }
}
