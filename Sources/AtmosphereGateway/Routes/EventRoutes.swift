internal import Atmosphere

extension Route {
    static let eventRoutes: [Route] = [
        Route(
            "GET", "/v1/events", "events",
            "Follow what changes, as server-sent events; goes on behind the event that Last-Event-ID names.",
            parameters: [
                Parameter(
                    name: "entity", schema: #"{"type":"string"}"#, text: "Only changes of this entity.",
                    isRepeated: true),
                Parameter(
                    name: "after", schema: #"{"type":"string"}"#,
                    text: "The same as Last-Event-ID, for readers that cannot set a header."),
                Parameter(
                    name: "Last-Event-ID", place: "header", schema: #"{"type":"string"}"#,
                    text: "The last event that the reader has seen.")
            ],
            problems: [.tooManyRequests],
            run: { call in
                let entities = Set(try call.texts("entity").map { try call.service.resource($0).name })
                let after = call.request.headers["Last-Event-ID"] ?? call.text("after")
                let client = try call.service.hub.subscribe(call.caller, after: after, entities: entities)
                return GatewayAnswer(
                    .ok, headers: ["Content-Type": "text/event-stream", "X-Accel-Buffering": "no"],
                    body: .events(client))
            })
    ]
}
