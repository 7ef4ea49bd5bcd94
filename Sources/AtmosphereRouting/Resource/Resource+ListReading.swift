extension Resource {
    /// A digest of the settings that decide which pages the list has, what it tells of changes, and what becomes of its rows:
    /// where one of them has changed, the list has to be read again as a whole. The same for the same settings, in every process.
    package var listReading: String {
        let parts: [String] = [
            format, mediaType ?? "", itemsMeaning, idMeaning, xmlMeaning, versionMeaning,
            "\(list.shape) \(detail) \(read.isOffered)", deletesMeaning, retentionMeaning, pagesMeaning, sinceMeaning
        ]
        var digest = SHA256Digest()
        digest.update(Array(parts.joined(separator: "\n").utf8))
        return digest.finish()
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

    private var pagesMeaning: String {
        let kind =
            switch paging {
            case .none: ""
            case .number(let parameter, let first, _, _): "number \(parameter) \(first)"
            case .offset(let parameter, _, _): "offset \(parameter)"
            case .bodyLink(let next, _, _): "body \(next)"
            case .headerLink(let name, _, _): "header \(name)"
            case .token(let next, let parameter, _, _): "token \(text(next)) \(parameter)"
            }
        let total: String =
            switch paging.total {
            case .items(let place)?: "items \(text(place))"
            case .pages(let place)?: "pages \(text(place))"
            case nil: ""
            }
        let size = paging.size.map { "\($0.parameter) \($0.value)" } ?? ""
        return "\(kind) \(total) \(size) \(more.map { text($0) } ?? "") \(moreSaysEnd) \(endStatuses)"
    }

    private func text(_ place: Paging.Place) -> String {
        switch place {
        case .body(let path): "\(path)"
        case .header(let name): name.lowercased()
        }
    }

    /// What decides which changes a list shows, without how often everything is listed all the same.
    private var sinceMeaning: String {
        guard let since else { return "" }
        func text(_ query: [NamedText]) -> String { query.map { "\($0.name)=\($0.value)" }.joined(separator: "&") }
        // A time shows how times are written.
        let time = since.format?.text(Instant(seconds: 1_234_567_890)) ?? ""
        return "\(since.origin.text) \(since.takesLastPage) \(since.isAscending) \(time) \(since.prefix) "
            + "\(since.quotes) \(since.suffix) \(text(since.query)) \(text(since.fullQuery))"
    }

    private var retentionMeaning: String {
        guard let retention else { return "" }
        let type = fields.types[retention.field]?.rawValue ?? ""
        return "\(retention.keep) \(retention.field) \(type)"
    }
}
