/// Content that was downloaded, see ``Synchronizer/content(of:at:)``.
public struct AttachedContent: Sendable {
    /// The content as it arrives; read once. Dropping it ends the download.
    public var bytes: ResponseBody
    /// What the server says that it is.
    public var mediaType: String?
    /// In bytes; nil where the server does not say.
    public var length: Int64?

    package init(bytes: ResponseBody, mediaType: String? = nil, length: Int64? = nil) {
        self.bytes = bytes
        self.mediaType = mediaType
        self.length = length
    }
}
