internal import AtmosphereStore

/// Writes the files beside the journal, and begins a new journal.
///
/// Each file is written beside the old one, flushed and renamed: the entities' files first, then `store.jsonl`, the
/// journal last. A file says up to which commit it is, and what the journal has of those is passed over: a process may
/// end between any two steps. The journal is on the device before (``Journal/flush()``), so that a loss of power leaves no
/// file that is ahead of it.
struct StoreWriting {
    private let folder: StoreFolder
    private let state: StoreState
    private let files: [String: EntityFile]
    private let commit: Int64
    private let pending: Set<String>

    /// - Parameter pending: the entities whose files are to be written.
    init(
        _ folder: StoreFolder, _ state: StoreState, files: [String: EntityFile], commit: Int64, pending: Set<String>
    ) {
        self.folder = folder
        self.state = state
        self.files = files
        self.commit = commit
        self.pending = pending
    }

    /// - Parameter beforeJournal: gets the new journal's extent before it takes the old one's place.
    /// - Returns: the entities' files, and the bytes of all files but the journal.
    func run(
        _ beforeJournal: (FileAccess.Extent) -> Void
    ) throws(StoreError) -> (files: [String: EntityFile], size: Int) {
        var files = files
        for entity in pending.sorted(by: { $0.precedesInBytes($1) }) {
            let name = files[entity]?.name ?? EntityFileName.make(for: entity, taken: Set(files.values.map(\.name)))
            let text = CheckedFile.text(state.lines(of: entity, commit: commit))
            try FileAccess.replace(folder.entity(name), with: text)
            files[entity] = EntityFile(name: name, commit: commit, size: text.count)
        }
        if !pending.isEmpty { try folder.synchronizeEntities() }
        let meta = CheckedFile.text(state.metaLines(files: files, commit: commit))
        try FileAccess.replace(folder.meta, with: meta)
        try folder.synchronize()
        try FileAccess.replace(folder.journal, with: Journal.text(after: commit), beforeRename: beforeJournal)
        try folder.synchronize()
        return (files, files.values.reduce(meta.count) { $0 + $1.size })
    }
}
