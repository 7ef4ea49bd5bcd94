#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

extension ContentFolder {
    /// The content of an upload, read piece by piece when it is sent.
    ///
    /// What reading it throws is ``StoreError`` `damaged` where its bytes are others.
    ///
    /// - Throws: ``SyncError`` `notFound` where somebody has removed the file, or it has another length.
    func content(of upload: MetaObject.Upload) throws -> AttachmentContent {
        let file = "\(path)/\(upload.digest)"
        var facts = stat()
        guard stat(file, &facts) == 0, Int64(facts.st_size) == upload.length else {
            throw SyncError(
                code: .notFound,
                message: "the content of “\(upload.member)” (\(upload.fileName)) is not in \(path) any more; attach it "
                    + "again, or discard the change")
        }
        return AttachmentContent(
            length: upload.length, fileName: upload.fileName, mediaType: upload.mediaType
        ) { [path] in
            let opened = try await BlockingCall.run { try ContentFile(reading: file) }
            let content = CheckedContent(opened, of: upload, in: path)
            return { try await content.next() }
        }
    }
}

/// The content of an upload on its way to its reader, who gets the end of it only where it is what was attached.
private actor CheckedContent {
    private let file: ContentFile
    private let upload: MetaObject.Upload
    private let path: String
    private var digest = SHA256Digest()
    private var count: Int64 = 0

    init(_ file: ContentFile, of upload: MetaObject.Upload, in path: String) {
        self.file = file
        self.upload = upload
        self.path = path
    }

    func next() async throws -> [UInt8]? {
        let piece = try await BlockingCall.run { [file] in try file.next(ContentFolder.piece) }
        if let piece {
            digest.update(piece)
            count += Int64(piece.count)
            guard count >= upload.length else { return piece }
        }
        var whole = digest
        guard count == upload.length, whole.finish() == upload.digest else {
            throw StoreError(
                code: .damaged,
                message: "the content of “\(upload.member)” (\(upload.fileName)) in \(path) is not what was attached "
                    + "any more; attach it again, or discard the change")
        }
        return piece
    }
}
