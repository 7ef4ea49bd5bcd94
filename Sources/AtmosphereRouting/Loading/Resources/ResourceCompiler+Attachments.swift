extension ResourceCompiler {
    mutating func attachments(_ section: RouteSection) -> [Attachment] {
        section.named.filter(\.section.isPresent).map { attachment($0.name, $0.section) }
    }

    private mutating func attachment(_ name: String, _ section: RouteSection) -> Attachment {
        var attachment = Attachment(name: name)
        attachment.upload = upload(section["upload"])
        attachment.download = download(section["download"])
        attachment.identity = section["identity"].selector
        attachment.origins = section["origins"].texts
        attachment.timeout = section["timeout"].duration ?? attachment.timeout
        return attachment
    }

    private func upload(_ section: RouteSection) -> Attachment.Upload? {
        guard section.isPresent else { return nil }
        var upload = Attachment.Upload()
        upload.ask = ask(section["ask"])
        upload.path = section["path"].path
        upload.method = section["method"].text ?? upload.method
        upload.query = section["query"].namedTexts
        upload.mediaType = section["media-type"].text
        upload.part = section["part"].text
        upload.fileName = section["file-name"].text
        upload.resumable = section["resumable"].text.flatMap(Attachment.Resumption.init(rawValue:))
        if section["metadata"].isPresent { upload.metadata = section["metadata"].namedTexts }
        upload.value = section["value"].selector
        if section["set"].isPresent { upload.set = section["set"].value }
        return upload
    }

    private func ask(_ section: RouteSection) -> Attachment.Ask? {
        guard let verb = RouteVocabulary.askVerbs.first(where: { section[$0].isPresent }),
            let path = section[verb].path, let url = section["url"].selector
        else { return nil }
        var ask = Attachment.Ask(method: verb.uppercased(), path: path, url: url)
        ask.query = section["query"].namedTexts
        ask.set = Value.Members(section["set"].named.map { .init(name: $0.name, value: $0.section.value) })
        ask.headers = section["headers"].selector
        ask.value = section["value"].selector
        return ask
    }

    private func download(_ section: RouteSection) -> Attachment.Download? {
        var download: Attachment.Download
        if let path = section["path"].path {
            download = .init(.path(path))
        } else if let url = section["url"].selector {
            download = .init(.url(url))
        } else if let ask = ask(section["ask"]) {
            download = .init(.ask(ask))
        } else {
            return nil
        }
        download.fileName = section["file-name"].text
        download.mediaType = section["media-type"].text
        return download
    }

    /// Every path of an attachment, with its place.
    func attachmentPaths(of resource: Resource) -> [(PathTemplate, RoutePlace)] {
        resource.attachments.flatMap { attachment -> [(PathTemplate, RoutePlace)] in
            let section = section["attachments"][attachment.name]
            var paths: [(PathTemplate, RoutePlace)] = []
            if let ask = attachment.upload?.ask {
                paths.append((ask.path, section["upload"]["ask"][ask.method.lowercased()].place))
            }
            if let path = attachment.upload?.path { paths.append((path, section["upload"]["path"].place)) }
            switch attachment.download?.place {
            case .path(let path)?: paths.append((path, section["download"]["path"].place))
            case .ask(let ask)?:
                paths.append((ask.path, section["download"]["ask"][ask.method.lowercased()].place))
            case .url?, nil: break
            }
            return paths
        }
    }

    /// What an upload cannot do, or would not be understood without.
    mutating func checkAttachments(_ resource: Resource) {
        for attachment in resource.attachments {
            let name = "attachments.\(attachment.name)"
            let section = section["attachments"][attachment.name]
            if !section["upload"].isPresent, !section["download"].isPresent {
                note(section.place, "\(name.quoted) needs one of: upload, download")
            }
            if section["download"]["file-name"].isPresent, !section["download"]["url"].isPresent {
                note(section["download"]["file-name"].place, "“\(name).download.file-name” has no use without “url”")
            }
            if case .ask(let ask)? = attachment.download?.place {
                checkAsk(
                    ask, "\(name).download.ask", section["download"]["ask"], of: resource,
                    Attachment.placesWithoutFile)
            }
            guard let upload = attachment.upload else { continue }
            checkAsk(upload.ask, "\(name).upload.ask", section["upload"]["ask"], of: resource)
            checkPlaces(
                [("query", upload.query.flatMap { View.places(in: $0.value) })], "\(name).upload", section["upload"],
                of: resource)
            if upload.ask != nil, section["upload"]["query"].isPresent {
                note(
                    section["upload"]["query"].place,
                    "“\(name).upload.query” has no use with “ask”, whose answer says the whole URL; write ask.query, or "
                        + "“path” instead of “ask”")
            }
            if upload.ask?.value != nil, upload.value != nil {
                note(
                    section["upload"]["value"].place,
                    "“\(name).upload.ask.value” and “\(name).upload.value” exclude each other; keep one")
            }
            if !upload.setsMember, !upload.namesObject {
                note(
                    section["upload"].place,
                    "“\(name).upload” needs “value”, or {id} in a path or a query: nothing else says whose content it is"
                )
            }
            checkFileName(upload, "\(name).upload", section["upload"], of: resource)
            checkResumption(upload, "\(name).upload", section["upload"], of: resource)
            let found = upload.resumable == nil ? [Attachment.valuePlace] : [Attachment.valuePlace, Attachment.urlPlace]
            checkPlaces(
                [("set", upload.setPlaces)], "\(name).upload", section["upload"], of: resource,
                Attachment.places + found)
            if upload.setPlaces.contains(Attachment.valuePlace), upload.setsMember, upload.value == nil,
                upload.ask?.value == nil
            {
                note(
                    section["upload"]["set"].place,
                    "“\(name).upload.set” has {value}, which nothing of “\(name).upload” says; write {url}, or “ask.value”"
                )
            }
            if upload.set != nil, !upload.setsMember {
                note(
                    section["upload"]["set"].place,
                    "“\(name).upload.set” has no use without “value”, or “ask.value”: the server sets the member then")
            }
            if upload.setsMember, resource.readonly.contains(attachment.name) {
                note(
                    section["upload"].place,
                    "“\(name).upload” sets \(attachment.name.quoted), which stands in “readonly”; remove it there")
            }
        }
    }

    private mutating func checkResumption(
        _ upload: Attachment.Upload, _ name: String, _ section: RouteSection, of resource: Resource
    ) {
        guard upload.resumable != nil else {
            if section["metadata"].isPresent {
                note(section["metadata"].place, "“\(name).metadata” has no use without “\(name).resumable”")
            }
            return
        }
        for key in ["part", "media-type"] where section[key].isPresent {
            note(
                section[key].place,
                "“\(name).\(key)” has no use with “resumable”, whose protocol says how the content is sent")
        }
        if upload.value != nil {
            note(
                section["value"].place,
                "“\(name).value” has no use with “resumable”, whose last answer may have no body; write set: \"{url}\"")
        }
        if upload.method != "PUT" {
            note(
                section["method"].place,
                "“\(name).method” has no use with “resumable”, whose protocol says how the content is sent")
        }
        for text in upload.metadata where !text.name.isIdentifier(with: "-") {
            note(
                section["metadata"].place,
                "“\(name).metadata”: \(text.name.quoted) is no name of a value; use letters, digits, “_” and “-”")
        }
        checkPlaces(
            [("metadata", upload.metadata.flatMap { View.places(in: $0.value) })], name, section, of: resource)
    }

    private mutating func checkFileName(
        _ upload: Attachment.Upload, _ name: String, _ section: RouteSection, of resource: Resource
    ) {
        guard let text = upload.fileName else { return }
        let place = section["file-name"].place
        if let open = View.openPlace(in: text) {
            note(
                place,
                "“\(name).file-name”: “{” without “}” in \(text.quoted)"
                    + (open.utf8.count > 64 ? "" : "; write {\(open)}"))
        }
        checkPlaces(
            [("file-name", View.places(in: text))], name, section, of: resource, Attachment.placesInFileName)
        let literals = NamedText(name: "", value: text).template.literalPath
        if literals.unicodeScalars.contains(where: Attachment.isUnsafe) {
            note(
                place,
                "“\(name).file-name” is the name of a file: leave slashes, backslashes, quotes and line breaks out")
        }
    }

    private mutating func checkAsk(
        _ ask: Attachment.Ask?, _ name: String, _ section: RouteSection, of resource: Resource,
        _ known: [String] = Attachment.places
    ) {
        guard let ask else { return }
        if ask.method == "GET", !ask.set.isEmpty {
            note(
                section["set"].place,
                "“\(name).set” is the body of the request, and a GET has none; write “query”, or “post”")
        }
        checkPlaces(
            [
                ("query", ask.query.flatMap { View.places(in: $0.value) }),
                ("set", View.places(inTextsOf: .object(ask.set)))
            ],
            name, section, of: resource, known)
    }

    /// - Parameter known: the places beside the members of the object and its parents.
    private mutating func checkPlaces(
        _ keys: [(String, [String])], _ name: String, _ section: RouteSection, of resource: Resource,
        _ known: [String] = Attachment.places
    ) {
        let places = known.map { "{\($0)}" }.joined(separator: ", ") + ", and members of the object: {title}"
        for (key, found) in keys {
            for place in found where !known.contains(place) && !isMember(place, of: resource) {
                note(
                    section[key].place,
                    "“\(name).\(key)” has {\(place)}, which is no place there; there are: \(places)")
            }
        }
    }

    /// Whether a place names a member of the object, or of one of its parents. Any member may stand there but a misspelt `{id}`.
    private func isMember(_ place: String, of resource: Resource) -> Bool {
        let names = place.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.allSatisfy({ $0.isIdentifier(with: "-") }) else { return false }
        switch names.count {
        case 1: return place.lowercased() != "id" || resource.namedMembers.contains(place)
        case 2: return resource.parents.contains { $0.entity == names[0] }
        default: return false
        }
    }
}
