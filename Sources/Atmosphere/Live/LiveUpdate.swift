/// The news of one object, as the notification server hands it on.
package struct LiveUpdate: Sendable, Hashable {
    /// Says that two are the same; nil where the publisher's server gave none that is a number or a short text.
    package var id: String?
    /// The object, with the identifier as the API writes it.
    package var uri: ObjectURI
    /// What is said of it.
    package var content: Content
    /// The version that ``content`` leads to; for a patch and edits the version that they were made from.
    package var version: String?
    /// The version that a patch or edits lead to, where the publisher says it.
    package var next: String?

    /// What a live update says of its object.
    package enum Content: Sendable, Hashable {
        /// It has changed, or is new; no more is said.
        case changed
        /// Members as the API shows them; one that is missing is unknown, not absent.
        case attributes(Value.Members)
        /// All members as the API shows them; one that is missing is absent.
        case whole(Value.Members)
        /// A JSON merge patch (RFC 7396) of what the API shows.
        case patch(Value.Members)
        /// Edits of single texts, by member.
        case edits([TextEdits])
        /// It is gone from the server.
        case deleted
        /// It has changed, or is new; what is said of it cannot be used, and why. The reason holds nothing of the message.
        case unusable(reason: String)
    }

    /// The edits of one text, made one after another.
    package struct TextEdits: Sendable, Hashable {
        /// The member, as the API shows it.
        package var member: String
        /// In their order; each counts in what the one before left.
        package var edits: [TextEdit]

        /// The edits of one member's text.
        package init(member: String, edits: [TextEdit]) {
            self.member = member
            self.edits = edits
        }
    }

    /// News of an object; see ``version`` for which version is meant.
    package init(
        id: String? = nil, uri: ObjectURI, content: Content, version: String? = nil, next: String? = nil
    ) {
        self.id = id
        self.uri = uri
        self.content = content
        self.version = version
        self.next = next
    }

    /// The longest identifier of an object, and the longest version, in bytes.
    static let textLimit = 2048
    /// The most edits of one message.
    static let editLimit = 10_000

    /// Reads the argument of an `update` event:
    /// `{id, uri: {entity, id}, attributes | patch | edits | deleted: true, whole, version, next}`; `whole: true` says that the
    /// attributes are all that the object has.
    ///
    /// Beside a `uri` that can be used, whatever has another type, or is longer than any server means, makes the content
    /// ``Content/unusable(reason:)``; a version then says nothing.
    ///
    /// - Throws: ``LiveMessageError`` where `uri` is missing or cannot be used.
    package init(_ value: Value) throws(LiveMessageError) {
        guard let members = value.members else { throw LiveMessageError("an update is an object") }
        guard let address = members["uri"]?.members, let entity = address["entity"]?.string, !entity.isEmpty,
            entity.utf8.count <= 256, let key = address["id"].flatMap(ObjectID.init)?.text, !key.isEmpty,
            key.utf8.count <= Self.textLimit
        else { throw LiveMessageError("an update's uri has an entity and an id") }
        id = MessageEvent.identifier(members["id"])
        uri = ObjectURI(entity: entity, id: key)
        let said: (Content, String?, String?)
        do throws(LiveMessageError) {
            said = (
                try Self.content(members), try Self.version(members["version"]), try Self.version(members["next"])
            )
        } catch {
            said = (.unusable(reason: error.description), nil, nil)
        }
        (content, version, next) = said
    }

    private static func content(_ members: Value.Members) throws(LiveMessageError) -> Content {
        var contents: [Content] = []
        for name in ["attributes", "patch"] {
            guard let value = members[name] else { continue }
            guard let object = value.members else { throw LiveMessageError("an update's \(name) is an object") }
            contents.append(name == "patch" ? .patch(object) : .attributes(object))
        }
        if let value = members["edits"] { contents.append(.edits(try edits(value))) }
        if let value = members["deleted"], value != false {
            guard value == true else { throw LiveMessageError("an update's deleted is true or false") }
            contents.append(.deleted)
        }
        guard contents.count <= 1 else { throw LiveMessageError("an update says one thing at a time") }
        if let value = members["whole"], value != false {
            guard value == true else { throw LiveMessageError("an update's whole is true or false") }
            guard case .attributes(let all)? = contents.first else {
                throw LiveMessageError("an update's whole belongs to its attributes")
            }
            return .whole(all)
        }
        return contents.first ?? .changed
    }

    private static func version(_ value: Value?) throws(LiveMessageError) -> String? {
        switch value {
        case nil, .null?: return nil
        case .string(let text)? where !text.isEmpty && text.utf8.count <= textLimit: return text
        case .number(let number)? where number.lexeme.utf8.count <= textLimit: return number.lexeme
        default: throw LiveMessageError("an update's version is a number, or a text of no more than \(textLimit) bytes")
        }
    }

    private static func edits(_ value: Value) throws(LiveMessageError) -> [TextEdits] {
        guard let members = value.members else { throw LiveMessageError("an update's edits is an object") }
        var all: [TextEdits] = []
        var count = 0
        for member in members {
            guard let list = member.value.array else { throw LiveMessageError("a text's edits are an array") }
            count += list.count
            guard count <= editLimit else { throw LiveMessageError("an update has more than \(editLimit) edits") }
            var edits: [TextEdit] = []
            for each in list { edits.append(try TextEdit(each)) }
            all.append(TextEdits(member: member.name, edits: edits))
        }
        return all
    }
}
