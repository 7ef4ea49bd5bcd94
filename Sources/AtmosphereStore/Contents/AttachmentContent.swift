internal import Synchronization

/// Content to be uploaded, see ``Synchronizer/attach(_:as:to:)`` and ``Synchronizer/attachNow(_:as:to:sendingEdit:)``.
public struct AttachmentContent: Sendable {
    /// What the server may call the file, without a folder.
    package var fileName: String
    /// Its media type (RFC 9110 §8.3.1).
    package var mediaType: String
    /// In bytes.
    package var length: Int64
    /// Begins to read from the first byte: what it returns gives chunk after chunk, and nil at the end. It may be called
    /// several times, for a checksum and for a request that has to be sent again, and must give the same bytes each time.
    package var start: @Sendable () async throws -> @Sendable () async throws -> [UInt8]?

    /// Content that is read when it is sent, from a file for instance; it never is in memory as a whole.
    public init(
        length: Int64, fileName: String, mediaType: String = "application/octet-stream",
        start: @escaping @Sendable () async throws -> @Sendable () async throws -> [UInt8]?
    ) {
        self.length = length
        self.fileName = fileName
        self.mediaType = mediaType
        self.start = start
    }

    /// Content that is in memory.
    public init(_ bytes: [UInt8], fileName: String, mediaType: String = "application/octet-stream") {
        self.init(length: Int64(bytes.count), fileName: fileName, mediaType: mediaType) {
            let rest = Rest(bytes)
            return { rest.take() }
        }
    }

    /// The bytes, once.
    private final class Rest: Sendable {
        private let bytes: Mutex<[UInt8]?>

        init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes.isEmpty ? nil : bytes) }

        func take() -> [UInt8]? { bytes.withLock { $0.take() } }
    }
}

extension AttachmentContent {
    /// Its MD5 in Base64, as `Content-MD5` and storages write it.
    package func md5() async throws -> String {
        var digest = MD5Digest()
        let next = try await start()
        while let chunk = try await next() { digest.update(chunk) }
        return Base64.encode(digest.finish())
    }

    /// The body of a request, and its media type.
    ///
    /// - Parameters:
    ///   - part: the name of the part of a form; nil where the body is the content.
    ///   - boundary: stands between the parts, and nowhere in the content.
    package func body(part: String?, boundary: String) -> (body: RequestBody, mediaType: String) {
        guard let part else { return (.stream(length: length, start: start), mediaType) }
        let head = Array(
            """
            --\(boundary)\r
            Content-Disposition: form-data; name="\(Self.quoted(part))"; filename="\(Self.quoted(fileName))"\r
            Content-Type: \(Self.isFieldValue(mediaType) ? mediaType : "application/octet-stream")\r
            \r\n
            """.utf8)
        let tail = Array("\r\n--\(boundary)--\r\n".utf8)
        let body = RequestBody.stream(length: length + Int64(head.count + tail.count)) { [start] in
            let inner = try await start()
            let framed = Framed(head: head, tail: tail, inner: inner)
            return { try await framed.next() }
        }
        return (body, "multipart/form-data; boundary=\(boundary)")
    }

    /// What is left of it behind its first bytes, as the body of a request. All of it is read.
    package func rest(behind offset: Int64) -> RequestBody {
        .stream(length: length - offset) { [start] in
            let rest = Remainder(behind: offset, of: try await start())
            return { try await rest.next() }
        }
    }

    /// Whether its media type can stand in a header.
    package var hasSendableType: Bool { Self.isFieldValue(mediaType) }

    /// Whether a text can stand behind the name of a header. The part of a form is no header of the request, which the
    /// transport looks at.
    private static func isFieldValue(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// As browsers write names of files in forms (HTML, “multipart/form-data encoding algorithm”; RFC 7578 §4.2).
    private static func quoted(_ text: String) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "%22"
            case "\r": quoted += "%0D"
            case "\n": quoted += "%0A"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted
    }

    /// Content without its first bytes.
    private actor Remainder {
        private var skipped: Int64
        private let inner: @Sendable () async throws -> [UInt8]?

        init(behind offset: Int64, of inner: @escaping @Sendable () async throws -> [UInt8]?) {
            skipped = offset
            self.inner = inner
        }

        /// One caller at a time, as any body is read.
        func next() async throws -> [UInt8]? {
            while let chunk = try await inner() {
                let count = Int(min(skipped, Int64(chunk.count)))
                skipped -= Int64(count)
                if count < chunk.count { return count == 0 ? chunk : Array(chunk[count...]) }
            }
            return nil
        }
    }

    /// Content with bytes in front and behind.
    private actor Framed {
        private var head: [UInt8]?
        private var tail: [UInt8]?
        private let inner: @Sendable () async throws -> [UInt8]?

        init(head: [UInt8], tail: [UInt8], inner: @escaping @Sendable () async throws -> [UInt8]?) {
            self.head = head
            self.tail = tail
            self.inner = inner
        }

        /// One caller at a time, as any body is read.
        func next() async throws -> [UInt8]? {
            if let head = head.take() { return head }
            if let chunk = try await inner() { return chunk }
            return tail.take()
        }
    }
}
