extension Resource {
    /// How the content of a member travels.
    ///
    /// - Throws: ``SyncError`` `unknownName` where the route file does not say it.
    func declaredAttachment(_ name: String) throws -> Attachment {
        if let attachment = attachment(name) { return attachment }
        let known = attachments.map(\.name).joined(separator: ", ")
        throw SyncError(
            code: .unknownName,
            message: "\(self.name) has no attachment “\(name)”; "
                + (known.isEmpty ? "none is declared" : "it has \(known)"))
    }

    /// How the content of a member is uploaded.
    ///
    /// - Throws: ``SyncError`` `unknownName` where the route file does not say it.
    func uploadRoute(_ name: String) throws -> (Attachment, Attachment.Upload) {
        let attachment = try declaredAttachment(name)
        guard let upload = attachment.upload else {
            throw SyncError(
                code: .unknownName,
                message: "nothing says how content gets into the “\(name)” of \(self.name); add "
                    + "attachments.\(attachment.name).upload to the route file")
        }
        return (attachment, upload)
    }

    /// How the content of a member is downloaded.
    ///
    /// - Throws: ``SyncError`` `unknownName` where the route file does not say it.
    func download(of attachment: Attachment, _ name: String) throws -> Attachment.Download {
        if let download = attachment.download { return download }
        throw SyncError(
            code: .unknownName,
            message: "nothing says how the content of the “\(name)” of \(self.name) is had; add "
                + "attachments.\(attachment.name).download to the route file")
    }
}
