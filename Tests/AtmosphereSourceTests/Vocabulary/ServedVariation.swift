#if Source && YAML && Curl && XML
    import Atmosphere
    import AtmosphereCurl
    import AtmosphereDjangoREST
    import AtmosphereGoogleTasks
    import AtmosphereJSONAPI
    import AtmospherePlain
    import AtmosphereRails
    import AtmosphereSource
    import AtmosphereXML
    import AtmosphereYAML
    import Testing

    /// A route file, as the source serves it and two clients use it.
    struct ServedVariation: Sendable, CustomTestStringConvertible {
        var name: String
        var style = "plain"
        /// Keys of the top, among them those of every resource.
        var top = ""
        /// The entity that the tasks are below, and the field that says which.
        var parent = (entity: "projects", field: "project")
        var parentKeys = ""
        var tasksKeys = ""
        /// What is changed beside the title, and to what.
        var other: (field: String, value: Value)?

        var testDescription: String { name }

        static let adapters: [Adapter] = [.yaml, .plain, .djangoREST, .googleTasks, .rails, .xml, .jsonAPI]

        func routeFile(base: String) throws -> RouteFile {
            let text = """
                atmosphere: 1
                style: \(style)
                base: \(base)
                store: memory
                auth: { bearer: "secret:SECRET" }
                \(top)
                resources:
                  \(parent.entity):
                \(Self.indented(parentKeys))
                  tasks:
                    parent: { \(parent.entity): \(parent.field) }
                \(Self.indented(tasksKeys))

                """
            let own = top.contains("auth:") ? text.replacing("auth: { bearer: \"secret:SECRET\" }\n", with: "") : text
            return try RouteFile.load(bytes: Array(own.utf8), source: "\(name).yaml", adapters: Self.adapters)
        }

        private static func indented(_ keys: String) -> String {
            keys.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
        }

        var options: RESTSource.Options {
            var options = RESTSource.Options(seed: 25)
            options.secrets = ["SECRET": "s3cret", "USER": "ada"]
            return options
        }

        /// A client with an empty store, over real HTTP.
        func client(_ base: String) async throws -> (Synchronizer, OfflineSwitch) {
            let file = try routeFile(base: base)
            let network = OfflineSwitch(try CurlTransport(settings: file.transport))
            let switched: [Adapter] = [.transport("curl") { _ in network }]
            return (try await .open(file, adapters: switched + Self.adapters, secrets: options.secrets), network)
        }
    }

    extension ServedVariation {
        static let all: [ServedVariation] = [
            .init(
                name: "a list that is asked for by POST, with its parameters in the body",
                parentKeys: "deletes: absent",
                tasksKeys: """
                    list: { method: POST, path: tasks/search, set: { filter: { kind: task } } }
                    items: $.rows
                    deletes: absent
                    pages: { kind: token, next: $.page.next, parameter: page.after, size: { parameter: page.size, value: 8 } }
                    """),
            .init(
                name: "JSON:API", style: "json-api", top: "deletes: absent",
                tasksKeys: """
                    types: { rank: integer }
                    fields:
                      project:
                        read: relationships.project.data.id
                        write: relationships.project.data.id
                        set: { type: projects }
                    """,
                other: ("rank", 7)),
            .init(
                name: "JSON:API with identifiers of the client and a batch", style: "json-api",
                top: "deletes: absent\nid: { assigned: client }\nduplicate: { status: 409 }",
                tasksKeys: """
                    singular: Task
                    fields: { project: { read: relationships.in.data.id, write: relationships.in.data.id, set: { type: projects } } }
                    batch:
                      post: operations
                      media-type: application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"
                      items: "['atomic:operations']"
                      create: { set: { op: add } }
                      update: { set: { op: update }, id: data.id }
                      delete: { set: { op: remove, ref: { type: Task } }, id: ref.id }
                      results: { path: "['atomic:results']", body: data }
                    """),
            .init(name: "plain, everything by default", parentKeys: "deletes: absent", tasksKeys: "deletes: absent"),
            .init(
                name: "form bodies, page numbers with a total in a header, basic auth, If-Match with quotes added",
                top: """
                    auth: { basic: { username: "secret:USER", password: "secret:SECRET" } }
                    coding: form
                    root: { write: item }
                    deletes: absent
                    pages: { kind: number, parameter: page, total: { header: X-Total-Count }, size: { parameter: n, value: 10 } }
                    version: { field: revision, send: if-match, quotes: add }
                    readonly: [revision]
                    """,
                tasksKeys:
                    "types: { rank: integer, done: boolean, price: decimal, due: date, tags: json }\nupdate: { method: PATCH, body: changed }",
                other: ("rank", 7)),
            .init(
                name: "offsets with a total, since by the clock, tombstones, a key in a header",
                top: """
                    auth: { key: { header: X-Api-Key, value: "secret:SECRET" } }
                    items: $.data.rows
                    pages: { kind: offset, parameter: skip, total: $.data.total, size: { parameter: take, value: 7 } }
                    since: { send: changed_after, from: response-date, format: seconds, query: { deleted: 1 } }
                    deletes: { field: gone, equals: true }
                    version: { header: ETag, send: if-match }
                    """),
            .init(
                name: "a bare URL in a header, since in a header with a form of its own, a key in the query",
                top: """
                    auth: { key: { query: api_key, value: "secret:SECRET" } }
                    pages: { kind: link-header, header: X-Next-Page, size: { parameter: limit, value: 6 } }
                    since:
                      send: filter
                      from: { header: X-Server-Time }
                      prefix: "changed gt "
                      quotes: single
                      format: "yyyy-MM-dd HH:mm:ss"
                      overlap: PT1M
                    deletes: { field: deleted_at }
                    version: { header: X-Version, send: none }
                    """),
            .init(
                name: "a token in a header, a list that is sorted by the cursor, the version in the body",
                top: """
                    root: entry
                    items: $.entries
                    pages: { kind: token, next: { header: X-Next }, parameter: after, size: { parameter: n, value: 8 } }
                    since: { send: since, from: { field: changed }, order: cursor-ascending }
                    deletes: { field: removed }
                    version: { field: lock_version, send: body }
                    readonly: [changed, lock_version]
                    types: { changed: instant }
                    update: { method: PATCH, body: changed }
                    """),
            .init(
                name: "page numbers up to an error, total pages in the body of the parents",
                top: "deletes: absent",
                parentKeys: """
                    items: $.list
                    pages: { kind: number, parameter: p, total-pages: $.meta.pages, size: { parameter: n, value: 10 } }
                    """,
                tasksKeys: """
                    pages: { kind: number, parameter: p, first: 0, end-status: 400, size: { parameter: n, value: 10 } }
                    list: { conditional: true }
                    """),
            .init(
                name: "Django REST framework", style: "django-rest",
                top: """
                    auth: { token: "secret:SECRET" }
                    pages: { size: { parameter: page_size, value: 10 } }
                    since: { send: modified_since, from: { field: modified } }
                    deletes: { field: deleted }
                    readonly: [modified]
                    lookup: { field: uuid, query: uuid }
                    duplicate: { status: 400, field: uuid }
                    """),
            .init(
                name: "Django REST framework in XML", style: "django-rest",
                top: """
                    auth: { token: "secret:SECRET", scheme: Key }
                    format: xml
                    since: { send: modified_since, from: { field: modified } }
                    deletes: { field: deleted }
                    readonly: [modified]
                    """,
                tasksKeys:
                    "types: { id: integer, rank: integer, done: boolean, price: decimal, due: date, tags: json }",
                other: ("done", true)),
            .init(
                name: "Rails", style: "rails", top: "pages: { size: { parameter: per_page, value: 10 } }",
                parent: ("people", "person_id"),
                parentKeys:
                    "singular: person\nplural: people\ndeletes: { field: deleted_at }\nquery: { with_deleted: 1 }",
                tasksKeys: """
                    deletes: { field: deleted_at }
                    version: { field: lock_version, send: body }
                    readonly: [lock_version]
                    lookup: { field: client_token, query: client_token }
                    duplicate: { status: 422, field: client_token }
                    """),
            .init(
                name: "Rails in XML", style: "rails", top: "format: xml", parent: ("people", "person_id"),
                parentKeys: "singular: person\nplural: people\ndeletes: absent",
                tasksKeys: """
                    deletes: absent
                    version: { field: lock_version, send: body }
                    readonly: [lock_version]
                    types: { price: decimal, due: date, remind_at: instant, done: boolean, rank: integer, tags: json }
                    """,
                other: ("price", "12.50")),
            .init(
                name: "JSON answers, XML bodies", top: "coding: xml\ndeletes: absent",
                tasksKeys: "types: { rank: integer, done: boolean, due: date }", other: ("done", false)),
            .init(
                name: "XML without types", top: "format: xml\ndeletes: absent\nabsent-equals: [null, \"\"]",
                tasksKeys: "types: { rank: integer, done: boolean, due: date, notes: string }", other: ("rank", 12)),
            .init(
                name: "XML in an envelope, with a total and tokens",
                top: """
                    format: xml
                    coding: json
                    items: $.rows.row
                    deletes: absent
                    types: { id: string }
                    xml: { root: row, item: row }
                    pages: { kind: token, next: $.more, parameter: from, size: { parameter: n, value: 9 } }
                    """),
            .init(
                name: "the last object's identifier as the token, with a flag; offsets with one of the last page",
                top: "items: $.data\ndeletes: absent",
                parentKeys: """
                    pages:
                      kind: offset
                      parameter: skip
                      size: { parameter: limit, value: 10 }
                      more: { body: $.meta.last, equals: false }
                    """,
                tasksKeys: """
                    pages:
                      kind: token
                      next: "$.data[-1].id"
                      parameter: starting_after
                      size: { parameter: limit, value: 7 }
                      more: $.has_more
                    """),
            .init(
                name: "page numbers and tokens with flags in headers, one of them of the last page",
                top: "deletes: absent",
                parentKeys: """
                    pages:
                      kind: number
                      parameter: page
                      size: { parameter: n, value: 5 }
                      more: { header: X-Last-Page, equals: false }
                    """,
                tasksKeys: """
                    pages:
                      kind: token
                      next: { header: X-Next }
                      parameter: after
                      size: { parameter: n, value: 25 }
                      more: { header: X-Has-More }
                    """),
            .init(
                name: "the last of a bare list as the token, identifiers per parent; links in a list, with a flag",
                top: "types: { id: string }\ndeletes: absent",
                parentKeys: """
                    items: "$.rows[*].doc"
                    pages:
                      kind: link-body
                      next: "$.links[0].href"
                      size: { parameter: n, value: 8 }
                      more: "$.links[0].more"
                    """,
                tasksKeys: """
                    path: projects/{projects.id}/tasks
                    ids: per-parent
                    root: task
                    pages: { kind: token, next: "[-1].task.id", parameter: after, size: { parameter: n, value: 1 } }
                    """),
            .init(
                name: "the last element of an XML list as the token, with a flag",
                top: """
                    format: xml
                    xml: { root: row, item: row }
                    types: { id: string }
                    items: $.rows.row
                    deletes: absent
                    pages:
                      kind: token
                      next: "$.rows.row[-1].id"
                      parameter: from
                      size: { parameter: n, value: 9 }
                      more: $.more
                    """),
            .init(
                name: "fields that are read and written in different places",
                top: """
                    item: $.data
                    items: $.data
                    pages: { kind: link-body, next: $.links.next, size: { parameter: limit, value: 10 } }
                    since: { send: since, from: { body: $.meta.now } }
                    deletes: { field: meta.deleted }
                    version: { field: meta.rev, send: if-match }
                    id: $.meta.id
                    """,
                tasksKeys: """
                    fields:
                      project: { read: project.id, write: project_id }
                      title: { read: title.rendered, write: title }
                      due: { read: schedule.due_on, type: date }
                      price: { read: cost.amount, write: cost.new.amount, type: decimal }
                    create: { item: $.created, shape: partial }
                    """,
                other: ("due", "2025-02-03")),
            .init(
                name: "writes that are answered with an identifier at another place, and creates with nothing else",
                top: "deletes: absent", parentKeys: "create: { id: $ }",
                tasksKeys: """
                    create: { id: $.created.task }
                    update: { method: PATCH, body: changed, id: task_id }
                    """),
            .init(
                name: "fields in different places, in Rails' XML", style: "rails", top: "format: xml\ndeletes: absent",
                tasksKeys: """
                    fields:
                      project: { read: project.id, write: project_id, type: integer }
                      title: { read: name, write: name }
                      rank: { read: order.rank, write: rank, type: integer }
                    update: { method: PATCH, body: changed }
                    """,
                other: ("rank", 3)),
            .init(
                name: "fields in different places, in forms", top: "coding: form\ndeletes: absent",
                tasksKeys: """
                    fields:
                      title: { read: title.rendered, write: text.title }
                      rank: { read: order.rank, write: rank, type: integer }
                    """,
                other: ("rank", 3)),
            .init(
                name: "identifiers of the client, conditional creates, a trash",
                top: """
                    id: { field: uuid, assigned: client }
                    delete: { method: PATCH, set: { trashed: true } }
                    deletes: { field: trashed }
                    """,
                parentKeys: "create: { method: PUT, path: \"projects/{id}\", conditional: true }",
                tasksKeys: "create: { method: PUT, path: \"tasks/{id}\", conditional: true }"),
            .init(
                name: "lists of parts, errors as a list, an idempotency key",
                top: """
                    list: { shape: partial }
                    create: { idempotency-header: Idempotency-Key }
                    update: { method: PATCH, body: changed, shape: partial }
                    errors: { fields: $.errors, field: source.pointer, message: detail }
                    version: { field: etag, send: if-match }
                    readonly: [etag]
                    since: { send: since, from: { field: changed }, quotes: double, format: microseconds }
                    deletes: { field: status, equals: deleted }
                    conflict: { time: changed }
                    """),
            .init(
                name: "times as numbers",
                top: """
                    version: { field: updated, send: body }
                    readonly: [updated]
                    types: { updated: milliseconds }
                    since: { send: since, from: { field: updated } }
                    deletes: { field: deleted }
                    conflict: { time: updated }
                    """),
            .init(
                name: "identifiers per parent, below their parents",
                top: """
                    types: { id: string }
                    pages: { kind: token, next: $.next, parameter: page, size: { parameter: n, value: 5 } }
                    items: { path: $.items, optional: true }
                    deletes: absent
                    """,
                tasksKeys: "path: projects/{projects.id}/tasks\nids: per-parent"),
            .init(
                name: "Google Tasks", style: "google-tasks", parent: ("lists", "list_id"),
                parentKeys: "path: users/@me/lists\ndeletes: absent\nreadonly: [kind, etag, updated, selfLink]",
                tasksKeys: """
                    path: lists/{lists.id}/tasks
                    query: { showCompleted: true, showHidden: true }
                    since: { send: updatedMin, from: response-date, overlap: PT2M, query: { showDeleted: true } }
                    deletes: { field: deleted, equals: true }
                    readonly: [kind, etag, updated, selfLink, position, parent, links, webViewLink]
                    """,
                other: ("notes", "Ring twice"))
        ]
    }
#endif
