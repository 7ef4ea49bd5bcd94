extension Adapter {
    /// A store in memory: `store: { kind: memory }`. Its ``Store/notes`` say that nothing is kept.
    public static var memory: Adapter {
        .store("memory") { _ in
            let note = StoreNote(
                isWarning: true,
                message: "store: memory keeps nothing: what is pulled and edited ends with the process, unsent edits "
                    + "too; write store: sqlite or json-file to keep it")
            return MemoryStore(name: "the store in memory", state: StoreState(), persist: nil, notes: [note])
        }
    }
}
