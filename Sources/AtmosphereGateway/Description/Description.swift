internal import Atmosphere
internal import AtmosphereReports

/// The gateway's description of itself, an OpenAPI 3.1 document: the routes, and for each entity of the route file a schema of
/// its records.
struct Description {
    private let service: GatewayService
    private let server: String

    private var resources: [Resource] { service.synchronizer.routeFile.resources }

    /// - Parameter host: as the request says it.
    init(_ service: GatewayService, host: String?) {
        self.service = service
        server = "\(service.options.isTLS ? "https" : "http")://\(host ?? "127.0.0.1")"
    }

    func value() async throws -> Value {
        let seen = try await SeenMembers.names(of: resources, in: service.synchronizer)
        var paths: Value.Members = [:]
        for route in Route.all {
            for (path, operation) in operations(of: route) {
                var item = paths[path]?.members ?? [:]
                item[route.method.lowercased()] = operation
                paths[path] = .object(item)
            }
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": .string("\(service.synchronizer.routeFile.name), a local copy"),
                "version": .string(service.options.version),
                "description": .string(
                    "A local copy of \(service.synchronizer.routeFile.base): it answers at once, works offline, and keeps "
                        + "itself in step with the server.")
            ],
            "servers": [["url": .string(server)]], "security": [["token": []]], "paths": .object(paths),
            "components": [
                "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
                "responses": [
                    "problem": [
                        "description": "Why it was not done (RFC 9457).",
                        "content": ["application/problem+json": ["schema": Self.reference("problem")]]
                    ]
                ],
                "schemas": .object(try schemas(seen))
            ]
        ]
    }

    // MARK: Operations

    /// One for each entity, where the path names one.
    private func operations(of route: Route) -> [(path: String, operation: Value)] {
        guard route.path.contains(.place("entity")) else {
            return [(path(of: route, entity: nil), operation(route, nil))]
        }
        return resources.enumerated().filter { Self.offers($0.element, route) }.map { index, resource in
            (path(of: route, entity: resource.name), operation(route, (index, resource)))
        }
    }

    /// Whether the API has what the route would send.
    private static func offers(_ resource: Resource, _ route: Route) -> Bool {
        switch route.name {
        case "create": resource.create.isOffered
        case "edit", "replace":
            resource.update.isOffered || resource.create.isOffered || !resource.actionMembers.isEmpty
        case "delete": resource.delete.isOffered || resource.create.isOffered
        case "refresh": resource.read.isOffered
        case "act": resource.actions.contains { $0.path.namesObject }
        case "actOnAll": resource.actions.contains { !$0.path.namesObject }
        case "content": resource.attachments.contains { $0.download != nil }
        case "attach", "discardContent": resource.attachments.contains { $0.upload != nil }
        default: true
        }
    }

    private func path(of route: Route, entity: String?) -> String {
        let parts = route.path.map { part -> String in
            switch part {
            case .literal(let text): text
            case .place("entity"): entity.map { PercentEncoding.segment($0) } ?? "{entity}"
            case .place(let name): "{\(name)}"
            }
        }
        return "/" + parts.joined(separator: "/")
    }

    private func operation(_ route: Route, _ entity: (index: Int, resource: Resource)?) -> Value {
        var operation: Value.Members = [
            "operationId": .string(route.name + (entity.map { "_\(Self.word($0.resource.name, $0.index))" } ?? "")),
            "summary": .string(route.text)
        ]
        if let entity { operation["tags"] = [.string(entity.resource.name)] }
        // Only records are what another client keeps a copy of.
        let isRecords = ["list", "create", "get", "edit", "replace", "delete"].contains(route.name)
        if !isRecords || entity?.resource.shownID == nil { operation["x-atmos-discover"] = false }
        let parameters = parameters(of: route, entity?.resource)
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if route.isContent, route.method == "PUT" {
            operation["requestBody"] = [
                "required": true,
                "content": ["application/octet-stream": ["schema": ["type": "string", "format": "binary"]]]
            ]
        } else if let body = route.body {
            operation["requestBody"] = [
                "required": .bool(route.isBodyNeeded),
                "content": ["application/json": ["schema": schema(body, entity)]]
            ]
        }
        operation["responses"] = .object(responses(of: route, entity))
        return .object(operation)
    }

    private func parameters(of route: Route, _ resource: Resource?) -> [Value] {
        var parameters: [Value] = []
        for case .place(let name) in route.path where name != "entity" {
            var schema: Value.Members = ["type": "string", "minLength": 1]
            if name == "action", let resource {
                let isOfObject = route.name == "act"
                schema = [
                    "enum": .init(resource.actions.filter { $0.path.namesObject == isOfObject }.map(\.name))
                ]
            }
            if name == "member", let names = resource?.attachments.map(\.name), !names.contains(Attachment.others) {
                schema = ["enum": .init(names)]
            }
            parameters.append(["name": .string(name), "in": "path", "required": true, "schema": .object(schema)])
        }
        for parameter in route.parameters {
            var schema = (try? Value(json: Array(parameter.schema.utf8))) ?? [:]
            if parameter.isRepeated { schema = ["type": "array", "items": schema] }
            parameters.append([
                "name": .string(parameter.name), "in": .string(parameter.place), "required": false,
                "description": .string(parameter.text), "schema": schema
            ])
        }
        return parameters
    }

    private func responses(of route: Route, _ entity: (index: Int, resource: Resource)?) -> Value.Members {
        var answer: Value.Members = ["description": .string(route.status.title)]
        if route.name == "events" {
            // Before OpenAPI 3.2 the schema of a stream describes one event of it.
            answer["content"] = ["text/event-stream": ["schema": ["$ref": "#/components/schemas/event"]]]
        } else if route.name == "content" {
            answer["content"] = ["*/*": [:]]
        } else if let name = route.answer {
            answer["content"] = ["application/json": ["schema": schema(name, entity)]]
        }
        var responses: Value.Members = [:]
        responses["\(route.status.rawValue)"] = .object(answer)
        if route.name == "content" { responses["206"] = .object(answer) }
        if route.name == "create" { responses["202"] = .object(answer) }
        if route.name == "get" { responses["304"] = ["description": "Not Modified"] }
        var statuses: Set<Int> = [400, 401, 403, 421]
        if route.path.contains(where: { if case .place = $0 { true } else { false } }) { statuses.insert(404) }
        if route.body != nil { statuses.formUnion([413, 415, 422]) }
        statuses.formUnion(route.problems.map(\.rawValue))
        for status in statuses.sorted() {
            responses[String(status)] = ["$ref": "#/components/responses/problem"]
        }
        for range in ["4XX", "5XX"] { responses[range] = ["$ref": "#/components/responses/problem"] }
        return responses
    }

    // MARK: Schemas

    private func schema(_ name: String, _ entity: (index: Int, resource: Resource)?) -> Value {
        guard let entity else { return Self.reference(name) }
        let word = Self.word(entity.resource.name, entity.index)
        switch name {
        case "record": return Self.reference("record_\(word)")
        case "list": return Self.reference("list_\(word)")
        default: return Self.reference(name)
        }
    }

    private static func reference(_ name: String) -> Value { ["$ref": .string("#/components/schemas/\(name)")] }

    /// - Parameter seen: the members of the records that are here, by entity.
    private func schemas(_ seen: [[String]]) throws -> Value.Members {
        var schemas = try Value(json: Array(DescriptionSchemas.text.utf8)).members ?? [:]
        for (index, resource) in resources.enumerated() {
            let word = Self.word(resource.name, index)
            schemas["record_\(word)"] = RecordSchema(resource, seen: seen[index]).value
            schemas["list_\(word)"] = [
                "type": "object",
                "properties": [
                    "items": ["type": "array", "items": Self.reference("record_\(word)")],
                    "total": ["type": "integer"], "offset": ["type": "integer"], "limit": ["type": "integer"],
                    "objects": ["type": "array", "items": Self.reference("standing")]
                ],
                "required": ["items", "total", "offset", "limit"]
            ]
        }
        return schemas
    }

    /// A name as components have it.
    private static func word(_ name: String, _ index: Int) -> String {
        name.isIdentifier(with: "-.") ? name : "entity\(index)"
    }
}

/// The schema of an entity's records: what the route file says of their fields, and the names of what the records that are here
/// have beside these. A record may have others. Nothing is required, for an edit holds only what it sets.
struct RecordSchema {
    private let resource: Resource
    private let seen: [String]

    /// - Parameter seen: see ``SeenMembers``.
    init(_ resource: Resource, seen: [String]) {
        self.resource = resource
        self.seen = seen
    }

    var value: Value {
        var properties: Value.Members = [:]
        if let id = resource.idField {
            var schema: Value.Members = ["type": ["string", "integer"]]
            if resource.assigned == .server { schema["readOnly"] = true }
            properties[id] = .object(schema)
        }
        let names = resource.namedMembers.subtracting(resource.writeonly).sorted()
        for name in names where name != resource.idField { properties[name] = .object(shown(name)) }
        for name in resource.writeonly.sorted() {
            var schema = schema(of: name)
            schema["writeOnly"] = true
            properties[name] = .object(schema)
        }
        // A copy lists all that it has: what is deleted, or has another identifier by now, is not in it.
        var whole: Value.Members = ["type": "object", "x-atmos-deletes": "absent"]
        if let id = resource.shownID {
            declareHolder(of: id, in: &properties)
            whole["x-atmos-id"] = .string(id.description)
        }
        for name in seen where properties[name] == nil { properties[name] = .object(shown(name)) }
        whole["properties"] = .object(properties)
        // A client that is made from this shall keep what it does not know.
        whole["additionalProperties"] = true
        return .object(whole)
    }

    private func shown(_ name: String) -> Value.Members {
        var schema = schema(of: name)
        if resource.fixed.contains(name), !resource.parents.contains(where: { $0.field == name }) {
            schema["readOnly"] = true
        }
        return schema
    }

    /// The member that the identifier stands in, where it is no field of its own.
    private func declareHolder(of id: JSONPath, in properties: inout Value.Members) {
        guard let root = id.firstMember, properties[root] == nil else { return }
        var schema: Value = id.memberNames == nil ? [:] : ["type": ["string", "integer"]]
        for name in (id.memberNames ?? []).dropFirst().reversed() {
            schema = ["type": "object", "properties": .object([name: schema])]
        }
        properties[root] = schema
    }

    private func schema(of name: String) -> Value.Members {
        var schema = jsonSchema(of: name)
        // JSON Schema has fewer types than a route file.
        if let type = resource.fields.types[name] { schema["x-atmos-type"] = .string(type.rawValue) }
        return schema
    }

    private func jsonSchema(of name: String) -> Value.Members {
        if let reference = resource.references.first(where: { $0.field == name }) {
            // An object that the server does not know yet has an identifier of ours.
            return [
                "description": .string("refers to \(reference.entity)"),
                "type": ["string", "integer", "array", "null"], "items": [:]
            ]
        }
        switch resource.fields.types[name] {
        case .string: return ["type": ["string", "null"]]
        case .integer: return ["type": ["integer", "null"]]
        case .decimal: return ["type": ["number", "string", "null"]]
        case .float: return ["type": ["number", "null"]]
        case .boolean: return ["type": ["boolean", "null"]]
        case .instant: return ["type": ["string", "null"], "format": "date-time"]
        case .date: return ["type": ["string", "null"], "format": "date"]
        case .seconds, .milliseconds, .microseconds: return ["type": ["number", "string", "null"]]
        case .json, nil: return [:]
        }
    }
}

extension Resource {
    /// Where a record, as the gateway shows it, holds the identifier that its address has; nil where it does not.
    fileprivate var shownID: JSONPath? {
        guard !isUniquePerParent, !isIDLink else { return nil }
        if let name = idField { return links[name] == nil ? .member(name) : nil }
        // The member may be shown through its fields only, or another one may have its name.
        guard let root = id.firstMember, !id.steps.contains(.all), mapping.path(of: root) == .member(root),
            !mapping.hides(root)
        else { return nil }
        return id
    }
}
