internal import Atmosphere
internal import AtmosphereReports

extension Route {
    /// What there is.
    static let aboutRoutes: [Route] = [
        Route(
            "GET", "/v1", "about", "Say what this is.", answer: "about",
            run: { call in GatewayAnswer(call.service.about) }),
        Route(
            "GET", "/v1/openapi.json", "description", "Describe all of this (OpenAPI 3.1).", answer: "anyObject",
            run: { call in
                let description = Description(call.service, host: call.request.headers["Host"])
                return GatewayAnswer(try await description.value())
            }),
        Route(
            "GET", "/v1/entities", "entities", "List the entities, with what can be done and every setting.",
            answer: "entities",
            run: { call in
                let routeFile = call.synchronizer.routeFile
                return GatewayAnswer(["items": .array(routeFile.resources.map { call.service.value(of: $0) })])
            }),
        Route(
            "GET", "/v1/entities/{entity}", "entity", "Show one entity, with what can be done and every setting.",
            answer: "entity", run: { call in GatewayAnswer(call.service.value(of: try call.resource())) }),
        Route(
            "GET", "/v1/settings", "settings", "List every setting of the route file, with its origin.",
            answer: "settings", run: { call in GatewayAnswer(["items": call.service.settings()]) })
    ]
}

extension GatewayService {
    var about: Value {
        [
            "name": .string(synchronizer.routeFile.name), "copy": .string(copy), "readOnly": .bool(options.isReadOnly),
            "synchronizes": .bool(options.triggers != nil),
            "entities": .init(synchronizer.routeFile.resources.map(\.name)), "openapi": "/v1/openapi.json",
            "events": "/v1/events"
        ]
    }

    /// - Parameter entity: nil for the settings of the whole file.
    func settings(of entity: String? = nil) -> Value {
        .array(
            synchronizer.routeFile.explanation(entity: entity).map { setting in
                [
                    "path": .string(setting.path), "value": .string(synchronizer.redacted(setting.value)),
                    "origin": .string(setting.origin)
                ]
            })
    }

    func value(of resource: Resource) -> Value {
        let types = resource.fields.types.sorted { $0.key < $1.key }
            .map { Value.Member(name: $0.key, value: .string($0.value.rawValue)) }
        let actions = resource.actions.map { action -> Value in
            [
                "name": .string(action.name), "ofObject": .bool(action.path.namesObject),
                "arguments": .init(MemberNames(action.arguments + action.query + (action.body ?? [])).sorted())
            ]
        }
        let views = resource.views.map { view -> Value in
            ["name": .string(view.name), "parameters": .init(view.parameters(of: resource))]
        }
        let attachments = resource.attachments.map { attachment -> Value in
            [
                "name": .string(attachment.name), "upload": .bool(attachment.upload != nil),
                "download": .bool(attachment.download != nil)
            ]
        }
        let members: [(String, Value)] = [
            ("name", .string(resource.name)), ("id", .init(resource.idField)),
            ("idsPerParent", .bool(resource.isUniquePerParent)),
            ("parents", .array(resource.parents.map(\.value))),
            ("references", .array(resource.references.map(\.value))),
            ("types", .object(Value.Members(types))), ("readonly", .init(resource.readonly.sorted())),
            ("writeonly", .init(resource.writeonly.sorted())), ("lists", .bool(resource.list.isOffered)),
            ("creates", .bool(resource.create.isOffered)), ("updates", .bool(resource.update.isOffered)),
            ("deletes", .bool(resource.delete.isOffered)), ("actions", .array(actions)), ("views", .array(views)),
            ("attachments", .array(attachments)), ("settings", settings(of: resource.name))
        ]
        return .object(Value.Members(members.map { Value.Member(name: $0.0, value: $0.1) }))
    }
}

extension Reference {
    fileprivate var value: Value { ["entity": .string(entity), "field": .string(field)] }
}
