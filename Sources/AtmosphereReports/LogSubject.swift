package import Atmosphere

/// What a log is asked about.
package struct LogSubject: Sendable {
    package let entity: String
    /// nil for a whole entity.
    package let uri: ObjectURI?

    /// - Parameter text: `ENTITY` or `ENTITY/ID`.
    package init(_ text: String) {
        uri = ObjectURI(text)
        entity = uri?.entity ?? text
    }

    package func filtered(_ entries: [SyncLogEntry], in snapshot: any StoreSnapshot) throws -> [SyncLogEntry] {
        guard let uri else {
            // An object, the entity, or one of its lists (`tasks of 1`).
            return entries.filter { entry in
                entry.subject == entity || entry.subject.hasPrefix("\(entity)/")
                    || entry.subject.hasPrefix("\(entity) ")
            }
        }
        let present = try snapshot.alias(of: uri) ?? uri
        var isMine: [ScalarText: Bool] = [:]
        // Backwards, for the store does not know the address under which something was sent at once; the log does.
        let mine = try entries.reversed().filter { entry in
            let subject = ObjectURI(entry.subject)
            let answer =
                try isMine[ScalarText(entry.subject)]
                ?? subject.map { try $0 == present || snapshot.alias(of: $0) == present } ?? false
            isMine[ScalarText(entry.subject)] = answer
            if answer, let former = entry.former { isMine[ScalarText(former)] = true }
            return answer
        }
        return mine.reversed()
    }
}

extension SyncLogEntry {
    package var json: Value {
        ["time": .string(time.rfc3339), "subject": .string(subject), "message": .string(message)]
    }
}
