internal import Atmosphere
internal import CAtmospherePages

/// A file that a browser shows or runs.
struct PageFile {
    /// What a page may load and run.
    enum Policy: String {
        /// Of the pages that come with the gateway: nothing but their own files, and no script that was a text (Trusted Types).
        case builtIn = """
            default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; \
            worker-src 'self'; manifest-src 'self'; font-src 'self'; media-src 'self' blob:; base-uri 'none'; \
            form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
            """
        /// Of the pages in a folder of the user's: nothing of other hosts, and no script in the markup.
        case own = """
            default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; object-src 'none'; base-uri 'none'; \
            form-action 'self'; frame-ancestors 'none'
            """
    }

    var path: String
    var bytes: [UInt8]
    /// The same as gzip; nil where there is no such.
    var compressed: [UInt8]?
    var policy: Policy

    /// The file of this path that is linked into the library; nil where there is none.
    static func builtIn(_ path: String) -> PageFile? {
        guard let page = builtIns[path], page.path.hasSameBytes(as: path) else { return nil }
        return page
    }

    /// By path. They are compressed once, when the first of them is asked for.
    private static let builtIns: [String: PageFile] = {
        var pages: [String: PageFile] = [:]
        var index = 0
        while let page = atmosphere_page(index)?.pointee {
            let path = String(cString: page.path)
            let bytes = Array(UnsafeBufferPointer(start: page.bytes, count: page.count))
            pages[path] = PageFile(path: path, bytes: bytes, compressed: Gzip.compressed(bytes), policy: .builtIn)
            index += 1
        }
        return pages
    }()

    /// Paths of all files that are linked into the library.
    static var builtInPaths: [String] {
        var paths: [String] = []
        while let page = atmosphere_page(paths.count)?.pointee { paths.append(String(cString: page.path)) }
        return paths
    }

    /// The whole file, or 304 where the reader has it; a browser asks each time whether it is another.
    func answer(to request: GatewayRequest) -> GatewayAnswer {
        let coded = Self.takesGzip(request) ? compressed : nil
        let bytes = coded ?? bytes
        // What goes as gzip is another representation, and has another tag (RFC 9110 §8.8.3.3).
        var digest = SHA256Digest()
        digest.update(bytes)
        let tag = "\"\(digest.finish().prefix(32))\""
        var headers: HeaderFields = [
            "Cache-Control": "no-cache", "ETag": tag, "Content-Security-Policy": policy.rawValue,
            "Cross-Origin-Opener-Policy": "same-origin"
        ]
        if compressed != nil { headers["Vary"] = "Accept-Encoding" }
        let known = request.headers.values(of: "If-None-Match").flatMap { $0.split(separator: ",") }
        if known.contains(where: { $0.drop { $0 == " " } == tag }) {
            return GatewayAnswer(.notModified, headers: headers)
        }
        var answer = GatewayAnswer(.ok, headers: headers, body: .bytes(bytes))
        answer.headers["Content-Type"] = mediaType
        if coded != nil { answer.headers["Content-Encoding"] = "gzip" }
        return answer
    }

    /// Whether the reader takes gzip (RFC 9110 §12.5.3).
    private static func takesGzip(_ request: GatewayRequest) -> Bool {
        let codings = request.headers.values(of: "Accept-Encoding").flatMap { $0.split(separator: ",") }
        return codings.contains { coding in
            let parts = coding.lowercased().filter { $0 != " " && $0 != "\t" }.split(separator: ";")
            guard parts.first == "gzip" else { return false }
            let quality = parts.first { $0.hasPrefix("q=") }.map { $0.dropFirst(2) }
            return quality.map { Double($0) ?? 0 > 0 } ?? true
        }
    }

    /// By the end of the name, as browsers expect it; `nosniff` keeps what is not listed from being run.
    private var mediaType: String {
        let end = path.utf8.lastIndex(of: UInt8(ascii: ".")).map { path[path.index(after: $0)...].lowercased() }
        return end.flatMap { Self.mediaTypes[$0] } ?? "application/octet-stream"
    }

    private static let mediaTypes = [
        "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8", "json": "application/json",
        "map": "application/json", "webmanifest": "application/manifest+json", "txt": "text/plain; charset=utf-8",
        "ts": "text/plain; charset=utf-8", "md": "text/plain; charset=utf-8", "svg": "image/svg+xml",
        "png": "image/png",
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "avif": "image/avif",
        "ico": "image/vnd.microsoft.icon", "woff2": "font/woff2", "woff": "font/woff", "wasm": "application/wasm",
        "mp3": "audio/mpeg", "ogg": "audio/ogg", "mp4": "video/mp4", "webm": "video/webm", "pdf": "application/pdf"
    ]
}
