/// Makes a route file from its document: check, merge, complete, compile. Collects every problem on the way.
struct RouteFileLoader {
    let source: String
    let adapters: [Adapter]
    private var checker = RouteChecker()

    init(source: String, adapters: [Adapter]) {
        self.source = source
        self.adapters = adapters
    }

    mutating func load(_ root: RouteNode) throws(RouteFileError) -> RouteFile {
        if let deep = root.tooDeep(RouteFileLimits.depth) {
            throw problem(deep.place, "more than \(RouteFileLimits.depth) maps and lists inside each other")
        }
        guard root.count <= RouteFileLimits.nodes else {
            throw problem(root.place, "more than \(RouteFileLimits.nodes) values; a route file cannot be that large")
        }
        guard root.isMap else {
            throw problem(root.place, "a route file is a map of settings, not \(root.kind)")
        }
        let document = checker.check(root, .map(RouteVocabulary.document), at: "")
        let style = try findStyle(document)
        checkNames(document)

        let shape = RouteShape.map(RouteVocabulary.settings)
        var settings = RouteNode.merged(nil, Self.known(document, to: RouteVocabulary.settings), shape) ?? document
        if settings["name"] == nil { settings["name"] = RouteNode(.scalar(stem, isPlain: false), at: .default) }
        if let auth = settings["auth"], auth.isMap { settings["auth"] = auth.withComputedAuth }
        var completion = RouteCompletion(misspellings: checker.misspellings)
        settings = completion.complete(settings, RouteVocabulary.settings, at: root.place, name: "")

        var resources: [RouteNode.Entry] = []
        if let style {
            let defaults = Self.known(document, to: RouteMapShape(RouteVocabulary.resourceDefaults))
            resources = try complete(
                document["resources"]?.entries ?? [], defaults: defaults, style: style, &completion)
        }
        var compiler = RouteCompiler(settings: settings, resources: resources, source: source)
        var file = compiler.compile()
        file.headers = file.headers.overridden(by: RouteSection(document["headers"]).namedTexts)
        file.style = style?.style.name ?? file.style
        file.styleFile = style?.path
        let problems = checker.problems + completion.problems + missingResources(document) + compiler.problems
        guard problems.isEmpty else { throw RouteFileError(sorted(problems, root: root.place)) }
        return file
    }

    private func missingResources(_ document: RouteNode) -> [RouteFileError.Problem] {
        let resources = document["resources"].flatMap { $0.isNull ? nil : $0 }
        let isMisspelt = checker.misspellings.contains(.init(map: document.place, meant: "resources"))
        guard resources.map({ $0.isMap && $0.entries.isEmpty }) ?? !isMisspelt else { return [] }
        let message = "“resources” is missing or empty: name at least one, such as resources: { tasks: {} }"
        return [RouteFileError.Problem(place: resources?.place ?? document.place, message: message)]
    }

    private mutating func complete(
        _ entries: [RouteNode.Entry], defaults: RouteNode, style: ChosenStyle, _ completion: inout RouteCompletion
    ) throws(RouteFileError) -> [RouteNode.Entry] {
        let shape = RouteShape.map(RouteVocabulary.resource)
        var completed: [RouteNode.Entry] = []
        // A name that cannot be one was noted, and would only make odd paths here.
        for entry in entries where RouteLeaf.entity.complaint(entry.key, isPlain: true, at: "") == nil {
            let layer = StyleLayer(style.style, entry, defaults: defaults, documents: style.documents)
            var node: RouteNode?
            for document in style.documents {
                var styleChecker = RouteChecker()
                let base = styleChecker.check(layer.filled(document), .map(RouteVocabulary.style), at: "")
                // A mistake in what the file put into the style's places was noted where the file has it.
                for problem in styleChecker.problems where problem.place.source != source {
                    checker.note(problem.place, problem.message)
                }
                node = RouteNode.merged(node, base, shape)
            }
            node = RouteNode.merged(node, layer.filledPaths(defaults, RouteVocabulary.resource), shape)
            node = RouteNode.merged(node, layer.filledPaths(entry.node, RouteVocabulary.resource), shape)
            for key in style.style.needs where node?[key]?.isNull ?? true {
                checker.note(
                    entry.place,
                    "“\(key)” is missing: the style \(style.style.name.quoted) needs it for each resource")
            }
            let merged = (node ?? entry.node).withComputedDefaults
            let whole = completion.complete(merged, RouteVocabulary.resource, at: entry.place, name: "")
            completed.append(RouteNode.Entry(key: entry.key, place: entry.place, node: whole))
        }
        return completed
    }

    private mutating func findStyle(_ document: RouteNode) throws(RouteFileError) -> ChosenStyle? {
        let name = RouteSection(document["style"]).text ?? "plain"
        let place = document["style"]?.place ?? document.place
        if ChosenStyle.isPath(name) {
            do throws(RouteFileError) {
                return try ChosenStyle(path: name, beside: source, at: place, adapters: adapters)
            } catch {
                for problem in error.problems { checker.note(problem.place, problem.message) }
                return nil
            }
        }
        let style: any RoutingStyle
        do {
            style = try adapters.style(named: name)
        } catch {
            checker.note(place, "\(error)")
            return nil
        }
        return try ChosenStyle(style)
    }

    /// Names of adapters that are written but not linked. A program that links none of a kind chooses in another way,
    /// or only wants to read the file.
    private mutating func checkNames(_ document: RouteNode) {
        var names: [(AdapterKind, RouteNode?)] = [
            (.store, document["store"]?["kind"]), (.transport, document["transport"]?["kind"]),
            (.messages, document["live"]?["kind"]), (.authenticator, document["auth"]?["kind"]),
            (.format, document["format"]), (.coding, document["coding"])
        ]
        for entry in document["resources"]?.entries ?? [] {
            names += [(.format, entry.node["format"]), (.coding, entry.node["coding"])]
        }
        if let node = document["auth"]?["oauth2"], !node.isNull, adapters.offer(.transport),
            let error = adapters.missing(.authenticator, "oauth2")
        {
            checker.note(node.place, error.message)
        }
        for case (let kind, let node?) in names {
            guard let name = RouteSection(node).text, adapters.offer(kind) else { continue }
            if let error = adapters.missing(kind, name) { checker.note(node.place, error.message) }
        }
        checkSettings(document)
        guard let transport = document["transport"], let node = transport["kind"],
            let name = RouteSection(node).text
        else { return }
        for key in adapters.needs(of: .transport, name) where transport[key]?.isNull ?? true {
            checker.note(
                node.place,
                "“transport.\(key)” is missing: the transport \(name.quoted) needs it; write transport: { kind: \(name), "
                    + "\(key): … }")
        }
    }

    /// What the chosen adapters think of their settings.
    private mutating func checkSettings(_ document: RouteNode) {
        let sections: [(AdapterKind, key: String, usual: String?)] = [
            (.store, "store", StoreSettings().kind), (.transport, "transport", TransportSettings().kind),
            (.authenticator, "auth", nil)
        ]
        for (kind, key, usual) in sections {
            guard let section = document[key], let name = RouteSection(section["kind"]).text ?? usual else { continue }
            let settings = section["settings"]
            guard
                let error = adapters.complaint(
                    kind, name, about: RouteSection(settings).value.members ?? [:])
            else { continue }
            let node = error.name.flatMap { settings?[$0] } ?? settings ?? section["kind"] ?? section
            let path = ([key, "settings"] + [error.name].compactMap(\.self)).joined(separator: ".")
            checker.note(node.place, "“\(path)” of the \(kind.rawValue) \(name.quoted): \(error.message)")
        }
    }

    /// The file's name without folder and extension.
    private var stem: String {
        let name = source.split(separator: "/").last ?? "atmosphere"
        let stem = name.split(separator: ".", omittingEmptySubsequences: false).dropLast().joined(separator: ".")
        return stem.isEmpty ? String(name) : stem
    }

    /// In the order of the file, each once; what a style's author has to mend comes last.
    private func sorted(_ problems: [RouteFileError.Problem], root: RoutePlace) -> [RouteFileError.Problem] {
        var seen: Set<RouteFileError.Problem> = []
        let placed = problems.map { problem in
            RouteFileError.Problem(place: problem.place == .default ? root : problem.place, message: problem.message)
        }
        let distinct = placed.filter { seen.insert($0).inserted }
        let inFile = distinct.filter { $0.place.source == source }.enumerated().sorted {
            ($0.element.place.line, $0.element.place.column, $0.offset)
                < ($1.element.place.line, $1.element.place.column, $1.offset)
        }
        return inFile.map(\.element) + distinct.filter { $0.place.source != source }
    }

    private func problem(_ place: RoutePlace, _ message: String) -> RouteFileError {
        RouteFileError([RouteFileError.Problem(place: place, message: message)])
    }

    /// The entries of a map that a shape knows.
    private static func known(_ map: RouteNode, to shape: RouteMapShape) -> RouteNode {
        RouteNode(.map(map.entries.filter { shape.key($0.key) != nil }), at: map.place)
    }
}
