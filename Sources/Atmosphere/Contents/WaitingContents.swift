/// The contents beside the store that wait to be uploaded.
struct WaitingContents: Sendable {
    private let synchronizer: Synchronizer

    private var store: any Store { synchronizer.store }

    init(_ synchronizer: Synchronizer) { self.synchronizer = synchronizer }

    /// Tells of contents that are not uploaded any more, and removes them.
    ///
    /// - Parameter reason: the end of the line in the log.
    func forget(_ dropped: [MetaObject.Upload], of uri: ObjectURI, because reason: String) async {
        guard !dropped.isEmpty else { return }
        for upload in dropped {
            synchronizer.note(
                uri, "the content of “\(upload.member)” (\(upload.fileName)) is not uploaded: \(reason)")
        }
        await removeUnused()
    }

    /// What an edit says to the content that it takes the place of.
    static let isEdited = "the member was edited since"

    /// Removes the contents that no upload refers to any more. Where it fails, the next time does it.
    func removeUnused() async {
        guard let contents = store.contentFolder else { return }
        do {
            try await contents.removeAll {
                try await store.read { snapshot in
                    var kept: Set<String> = []
                    var last: ObjectURI?
                    while true {
                        let batch = try snapshot.changed(entity: nil, after: last, limit: 1_000)
                        for meta in batch { kept.formUnion(meta.uploads.map(\.digest)) }
                        guard batch.count == 1_000, let next = batch.last?.uri else { return kept }
                        last = next
                    }
                }
            }
        } catch {
            synchronizer.note(
                "store", "contents that nothing refers to stay in \(contents.path): \(error)", isRoutine: true)
        }
    }

    /// The content of a member that waits to be uploaded; nil where none does.
    func content(of name: String, at uri: ObjectURI) async throws -> AttachedContent? {
        guard let contents = store.contentFolder else { return nil }
        let upload = try await store.read { snapshot in
            try snapshot.meta(at: snapshot.alias(of: uri) ?? uri)?.uploads.last { $0.member == name }
        }
        guard let upload else { return nil }
        let next = try await contents.content(of: upload).start()
        return AttachedContent(
            bytes: ResponseBody { try await next() }, mediaType: upload.mediaType, length: upload.length)
    }
}
