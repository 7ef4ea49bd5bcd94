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
    /// - Throws: ``SyncError`` `notFound` where somebody has removed the file, or it is another.
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
        ) {
            let opened = try await BlockingCall.run { try ContentFile(reading: file) }
            return { try await BlockingCall.run { try opened.next(Self.piece) } }
        }
    }
}
