extension Resource {
    /// The settings that decide what becomes of an answer to the list: where one of them has changed, an answer that was
    /// read before has to be read again. The same text for the same settings, in every process.
    package var listMeaning: String {
        let parts: [String] = [
            format, itemsMeaning, idMeaning, xmlMeaning, versionMeaning, "\(list.shape) \(detail) \(read.isOffered)",
            deletesMeaning, retentionMeaning
        ]
        return parts.joined(separator: "\n")
    }

    private var itemsMeaning: String {
        "\(path(items)) \(areItemsOptional) \(path(failedItems)) \(readRoot ?? "")"
    }

    private var idMeaning: String {
        let above = parents.map { "\($0.entity) \($0.field)" }.joined(separator: ",")
        let written = links.map { "\($0.key) \($0.value.rawValue)" }.sorted().joined(separator: ",")
        return "\(id) \(isIDLink) \(isUniquePerParent) \(above) \(written)"
    }

    private func path(_ path: JSONPath?) -> String { path.map { "\($0)" } ?? "" }

    private var xmlMeaning: String {
        guard format == "xml" else { return "" }
        let lists = xml.lists.map { "\($0.key) \($0.value)" }.sorted()
        return "\(xml.dashesNames) \(xml.hasAttributes) \(lists.joined(separator: ","))"
    }

    private var versionMeaning: String {
        func text(_ place: Version.Place) -> String {
            switch place {
            case .field(let path): "\(path)"
            case .header(let name): name
            }
        }
        return switch version {
        case .none, .compare: ""
        case .ifMatch(let place, let isOrdered), .token(let place, let isOrdered): "\(text(place)) \(isOrdered)"
        case .body(let path, let isOrdered): "\(path) \(isOrdered)"
        }
    }

    private var deletesMeaning: String {
        let equals = deletes.equals.map { String(decoding: $0.json(), as: UTF8.self) } ?? ""
        return "\(deletes.byAbsence) \(path(deletes.field)) \(equals)"
    }

    private var retentionMeaning: String {
        guard let retention else { return "" }
        let type = fields.types[retention.field]?.rawValue ?? ""
        return "\(retention.keep) \(retention.field) \(type)"
    }
}
