import Atmosphere
import AtmosphereSource

/// Typed routes as a route file would give them.
enum SampleAPI {
    static func resource(_ name: String, collection: String, object: String, update: String = "PATCH") throws
        -> Resource
    {
        var resource = Resource(
            name: name,
            list: Operation(method: "GET", path: try PathTemplate(collection)),
            read: Operation(method: "GET", path: try PathTemplate(object)),
            create: Operation(method: "POST", path: try PathTemplate(collection)),
            update: Operation(method: update, path: try PathTemplate(object)),
            delete: Operation(method: "DELETE", path: try PathTemplate(object)))
        resource.create.body = .whole
        resource.update.body = update == "PATCH" ? .changed : .whole
        return resource
    }

    /// As Django REST framework: links, field errors at the root, `modified_since`, unique `uuid`.
    static func django() throws -> SourceAPI {
        func dressed(_ resource: Resource) -> Resource {
            var resource = resource
            resource.items = .member("results")
            resource.paging = .bodyLink(next: .member("next"), size: .init(parameter: "page_size", value: 100))
            resource.since = Since(parameter: "modified_since", origin: .field(.member("last_modified")))
            resource.readonly = ["id", "created", "last_modified"]
            resource.lookup = Lookup(field: "uuid", parameter: "uuid")
            resource.duplicate = Duplicate(statuses: [400], field: "uuid")
            resource.errors.fields = [JSONPath([])]
            resource.errors.messages = [.member("detail")]
            return resource
        }
        let albums = dressed(try resource("albums", collection: "/albums/", object: "/albums/{id}/"))
        var pictures = dressed(try resource("pictures", collection: "/pictures/", object: "/pictures/{id}/"))
        pictures.parents = [Reference(entity: "albums", field: "album")]
        pictures.references = pictures.parents
        pictures.fields.types = ["public": .boolean, "latitude": .decimal, "tags": .json]
        return SourceAPI(resources: [albums, pictures], basePath: "/api")
    }

    /// As Google Tasks: nested paths, tokens, entity tags in a field, tombstones.
    static func tasks() throws -> SourceAPI {
        var lists = try resource("lists", collection: "users/@me/lists", object: "users/@me/lists/{id}")
        lists.fields.types = ["id": .string]
        lists.items = .member("items")
        lists.paging = .token(next: .member("nextPageToken"), parameter: "pageToken", size: nil)
        var tasks = try resource("tasks", collection: "lists/{lists.id}/tasks", object: "lists/{lists.id}/tasks/{id}")
        tasks.parents = [Reference(entity: "lists", field: "list_id")]
        tasks.references = tasks.parents
        tasks.isUniquePerParent = true
        tasks.items = .member("items")
        tasks.paging = .token(
            next: .member("nextPageToken"), parameter: "pageToken", size: .init(parameter: "maxResults", value: 100))
        tasks.since = Since(parameter: "updatedMin", origin: .responseDate)
        tasks.since?.query = [NamedText(name: "showDeleted", value: "true")]
        tasks.conflict.time = "updated"
        tasks.deletes.field = .member("deleted")
        tasks.deletes.equals = true
        tasks.version = .ifMatch(.field(.member("etag")), ordered: false)
        tasks.readonly = ["etag", "updated"]
        tasks.errors.messages = [JSONPath([.member("error"), .member("message")])]
        return SourceAPI(resources: [lists, tasks], basePath: "/tasks/v1")
    }

    /// One resource with bare arrays, changed as the test needs it.
    static func plain(update: String = "PUT", _ change: (inout Resource) -> Void = { _ in }) throws -> SourceAPI {
        var notes = try resource("notes", collection: "/notes", object: "/notes/{id}", update: update)
        change(&notes)
        return SourceAPI(resources: [notes])
    }
}

/// A state with a clock that moves a second with each request.
struct SampleServer {
    var state: SourceState
    /// 2024-06-01T12:00:00Z
    var time = Timestamp(milliseconds: 1_717_243_200_000)

    init(_ api: SourceAPI, seed: Int = 0, _ change: (inout SourceRules) -> Void = { _ in }) {
        var rules = SourceRules()
        rules.seed = seed
        change(&rules)
        state = SourceState(api, rules: rules)
    }

    mutating func send(
        _ method: String, _ target: String, _ body: String = "", headers: HeaderFields = [:]
    ) -> SampleAnswer {
        time = time.advanced(by: .seconds(1))
        let request = SourceRequest(method: method, target: target, headers: headers, body: Array(body.utf8))
        return SampleAnswer(state.answer(request, at: time, origin: "http://127.0.0.1:1"))
    }
}

struct SampleAnswer {
    var status: Int
    var headers: HeaderFields
    var body: Value

    init(_ answer: SourceAnswer) {
        status = answer.status
        headers = answer.headers
        body = (try? Value(json: answer.body)) ?? .string(String(decoding: answer.body, as: UTF8.self))
    }

    /// A value inside the body.
    subscript(_ path: String) -> Value? { (try? JSONPath(path))?.first(in: body) }

    func values(_ path: String) -> [Value] { (try? JSONPath(path))?.values(in: body) ?? [] }
}
