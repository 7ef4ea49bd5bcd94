internal import Atmosphere

/// The pages of a gateway: those that come with it, and those of a folder of the user's.
struct Pages: Sendable {
    /// The largest file of a folder, in bytes.
    static let fileBytes = 16 << 20
    let folder: String?

    /// Whether a path leads to a page: all but those of the API.
    static func holds(_ place: RequestPlace) -> Bool { place.segments.first != "v1" }

    /// - Throws: ``Problem`` 404 where there is no such file, 405 for a method other than GET and HEAD.
    func answer(_ request: GatewayRequest, _ place: RequestPlace) throws(Problem) -> GatewayAnswer {
        guard request.method == "GET" || request.method == "HEAD" else {
            var problem = Problem(.methodNotAllowed, "method", "a page takes GET, HEAD and nothing else")
            problem.headers = ["Allow": "GET, HEAD"]
            problem.closes = true
            throw problem
        }
        guard let path = Self.path(place.segments) else { throw Self.missing() }
        if folder == nil, path.isEmpty { return Self.redirect(to: ["studio", ""]) }
        let isFolder = path.isEmpty || path.hasSuffix("/")
        if let file = try file(isFolder ? path + "index.html" : path) { return file.answer(to: request) }
        guard !isFolder, try file(path + "/index.html") != nil else { throw Self.missing() }
        return Self.redirect(to: place.segments + [""])
    }

    /// - Parameter segments: of a path that ``path(_:)`` takes; another one could name a host, `//evil.example/`.
    static func redirect(to segments: [String]) -> GatewayAnswer {
        let path = segments.map(PercentEncoding.segment).joined(separator: "/")
        return GatewayAnswer(.seeOther, headers: ["Location": "/\(path)"])
    }

    /// The segments as a path below a folder; nil for names that are hidden or mean another place.
    static func path(_ segments: [String]) -> String? {
        let names = segments.last == "" ? segments.dropLast() : segments[...]
        for name in names {
            // A name of one file, whatever the system: no separator, no hidden file, nothing that ends a C string. By bytes: a
            // slash with an accent behind it is a slash.
            guard let first = name.utf8.first, first != UInt8(ascii: "."),
                !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || #"/\:"#.utf8.contains($0) })
            else { return nil }
        }
        return segments.joined(separator: "/")
    }

    private func file(_ path: String) throws(Problem) -> PageFile? {
        if let file = PageFile.builtIn(path) { return file }
        guard let folder else { return nil }
        do {
            let bytes = try SmallFile.read(below: folder, path, limit: Self.fileBytes)
            return PageFile(path: path, bytes: bytes, policy: .own)
        } catch .system {
            return nil
        } catch {
            throw Problem(
                .notFound, "page",
                "\(path): \(error); a page is a regular file of at most \(Self.fileBytes >> 20) MiB")
        }
    }

    private static func missing() -> Problem {
        Problem(.notFound, "notFound", "the gateway has no such page; the API is below /v1, and Studio is /studio/")
    }
}
