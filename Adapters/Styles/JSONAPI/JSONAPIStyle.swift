public import AtmosphereRouting

/// The conventions of JSON:API 1.1: `data` with `type` and `id`, `attributes` as the fields, `links.next`, PATCH, error
/// objects that point at what they mean.
///
/// The `type` is the resource's name; where it is another, say `singular`. A relationship is a field of its own:
///
/// ```yaml
/// fields:
///   project:
///     read: relationships.project.data.id
///     write: relationships.project.data.id
///     set: { type: projects }
/// references: { project: projects }
/// ```
///
/// An attribute that is called `type`, `links` or `meta` is hidden by what the resource itself has of that name, unless
/// `fields` gives it another one: `kind: { read: attributes.type, write: attributes.type }`.
///
/// To-many relationships are read whole. Resources that stand beside the data of an answer (`included`) are not looked at:
/// each entity has a list of its own. A list with sparse fields shows part of its objects, so say `list: { shape: partial }`
/// with it. Identifiers are the server's, unless `id: { assigned: client }` says otherwise.
///
/// - SeeAlso: <https://jsonapi.org/format/>
public struct JSONAPIStyle: RoutingStyle {
    /// A style; it has nothing to set.
    public init() {}

    /// `json-api`
    public var name: String { "json-api" }

    /// The defaults of the family, in the route file's vocabulary.
    public var document: String {
        """
        {
            "media-type": "application/vnd.api+json",
            "list": { "path": "/{path}" },
            "read": { "path": "/{path}/{id}" },
            "create": { "path": "/{path}", "set": { "type": "{singular}" } },
            "update": {
                "method": "PATCH", "path": "/{path}/{id}", "body": "changed", "set": { "type": "{singular}" },
                "with": ["id"]
            },
            "delete": { "path": "/{path}/{id}" },
            "items": "$.data",
            "item": "$.data",
            "root": { "write": "data" },
            "fields": {
                "*": { "read": "attributes[*]", "write": "attributes[*]" },
                "id": { "read": "id" },
                "type": { "read": "type" },
                "links": { "read": "links" },
                "meta": { "read": "meta" }
            },
            "types": { "id": "string" },
            "readonly": ["type", "links", "meta", "relationships"],
            "pages": { "kind": "link-body", "next": "$.links.next" },
            "version": "compare",
            "errors": { "fields": "$.errors", "field": "source.pointer", "message": ["detail", "title", "code"] }
        }
        """
    }
}

extension Adapter {
    /// The routing style `json-api`.
    public static var jsonAPI: Adapter { .style(JSONAPIStyle()) }
}
