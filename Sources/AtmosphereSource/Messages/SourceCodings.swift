internal import Atmosphere

/// How bodies are read and written: the route file's formats and codings, from the adapters that the program links.
package struct SourceCodings: Sendable {
    /// By format; JSON is always there.
    private var extractors: [String: any ResponseExtractor] = ["json": JSONExtractor()]
    /// By coding.
    private var writers: [String: any BodyWriter] = ["json": JSONBodyWriter()]

    package init() {}

    /// - Throws: ``RESTSourceError`` `missingAdapter` for a format that no adapter writes, or a coding that none reads.
    init(for resources: [Resource], adapters: [Adapter]) throws(RESTSourceError) {
        do throws(AdapterError) {
            for resource in resources {
                writers[resource.format] = try adapters.writer(coding: resource.format)
                for coding in [resource.format, resource.coding] where coding != Self.form {
                    extractors[coding] = try adapters.extractor(format: coding)
                }
            }
        } catch {
            throw RESTSourceError(code: .missingAdapter, message: error.message)
        }
    }

    static let form = "form"

    // MARK: Answers

    /// Writes what an answer holds in the resource's format; JSON where there is no resource.
    func write(_ answer: inout SourceAnswer, _ resource: Resource?) {
        guard let value = answer.value else { return }
        answer.value = nil
        let writer = writers[resource?.format ?? "json"] ?? JSONBodyWriter()
        do {
            answer.body = try writer.body(of: value, Self.layout(answer.part, resource))
            answer.headers["Content-Type"] = resource?.mediaType ?? writer.contentType
        } catch {
            // A name or a text that the format cannot say.
            let status = answer.status >= 400 ? answer.status : 500
            answer = SourceAnswer(status, headers: ["Content-Type": "text/plain"], body: Array("\(error)".utf8))
        }
    }

    /// - Throws: what the resource's format cannot say of an object, with this status and the member's name. Stored, it would
    ///   make a 500 of every list that holds it.
    func check(_ object: @autoclosure () -> Value, _ resource: Resource, status: Int) throws(SourceRefusal) {
        guard resource.format != "json", let writer = writers[resource.format] else { return }
        do { _ = try writer.body(of: object(), Self.layout(.object, resource)) } catch {
            let reason = (error as? SyncError)?.message ?? "\(error)"
            throw .general(status: status, reason.escaped)
        }
    }

    private static func layout(_ part: SourceAnswer.Part, _ resource: Resource?) -> BodyLayout {
        var layout = BodyLayout()
        guard let resource else { return layout }
        layout.types = resource.typesOfMembers
        layout.xml = resource.xml
        switch part {
        case .object:
            layout.xml.root = resource.readRoot ?? resource.xml.root ?? resource.name
        case .list:
            // Where the elements have a name of their own, the root has one too, whatever it holds.
            layout.xml.root = resource.xml.item == nil ? resource.name : resource.xml.root ?? resource.name
            layout.item = resource.xml.item ?? resource.readRoot ?? resource.xml.root
        case .other: layout.xml.root = resource.xml.item == nil ? "answer" : resource.xml.root ?? "answer"
        }
        return layout
    }

    // MARK: Requests

    /// The coding of a body: what its type says, or else what the route file does.
    ///
    /// A form that begins as JSON does is JSON: command line clients say “form” where they are told nothing.
    func coding(of request: SourceRequest, _ resource: Resource) -> String {
        let type = (request.headers["Content-Type"] ?? "").prefix { $0 != ";" }.lowercased()
        if type.hasSuffix("/json") || type.hasSuffix("+json") { return "json" }
        if type.hasSuffix("/xml") || type.hasSuffix("+xml") { return "xml" }
        guard type == "application/x-www-form-urlencoded" else { return resource.coding }
        let isJSON = request.body.first { $0 > UInt8(ascii: " ") } == UInt8(ascii: "{")
        return isJSON && resource.coding != Self.form ? "json" : Self.form
    }

    /// - Throws: 415 for a coding that nothing here reads, 400 for a body that is none of it.
    func value(in body: [UInt8], coding: String, limit: Int) throws(SourceRefusal) -> Value {
        let limits = JSONLimits(depth: 100, bytes: limit)
        if coding == Self.form { return .object(SourceForm.members(in: body)) }
        guard let extractor = extractors[coding] else {
            throw .general(status: 415, "Unsupported media type in request: \(coding).")
        }
        do {
            // The reader's own words: they count from the body's beginning.
            return coding == "json"
                ? try Value(json: body, limits: limits) : try extractor.value(in: body, limits: limits)
        } catch {
            let reason = (error as? JSONError)?.message ?? "\(error)"
            throw .general(status: 400, "\(coding.uppercased()) parse error: \(reason)")
        }
    }
}

extension Resource {
    /// Bodies have a root element whatever they hold, so that a root is no member of its own.
    var namesRoots: Bool { format == "xml" }
}
