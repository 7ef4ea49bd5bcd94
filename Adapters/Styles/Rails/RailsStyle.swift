public import AtmosphereRouting

/// The conventions of Ruby on Rails: `/todos.json`, `/todos/1.json`, PATCH of what changed, a body wrapped in the
/// singular, the next page in the `Link` header, errors by field with 422.
///
/// Answers may be bare, rooted (`[{"todo": {…}}]`) or enveloped (`{"todos": […]}`); a root is stripped where there is
/// one. With `format: xml` paths end in `.xml`, and bodies have the dashes and types that `to_xml` and Rails' parameter
/// parser know. An update is compared first; where the model has an optimistic lock, say
/// `version: { field: lock_version, send: body }` instead.
///
/// A resource's name is the plural, as in `resources :todos`; its singular is found by Rails' rules of inflection.
/// Say `singular` or `plural` in the resource where that is wrong.
///
/// - SeeAlso: <https://guides.rubyonrails.org/v6.1/routing.html>, `…/active_record_validations.html`
public struct RailsStyle: RoutingStyle {
    /// A style; it has nothing to set.
    public init() {}

    /// `rails`
    public var name: String { "rails" }

    /// The defaults of the family, in the route file's vocabulary.
    public var document: String {
        """
        {
            "path": "{plural}",
            "list": { "path": "/{path}.{format}" },
            "read": { "path": "/{path}/{id}.{format}" },
            "create": { "path": "/{path}.{format}" },
            "update": { "method": "PATCH", "path": "/{path}/{id}.{format}", "body": "changed" },
            "delete": { "path": "/{path}/{id}.{format}" },
            "items": "$.{plural}",
            "root": "{singular}",
            "xml": { "root": "{singular}", "types": true, "dashes": true },
            "pages": { "kind": "link-header", "total": { "header": "X-Total-Count" } },
            "version": "compare",
            "errors": {
                "fields": ["$.errors", "$"],
                "messages": ["$.error", "$.message"],
                "general": ["base", "error", "message"]
            }
        }
        """
    }

    /// By Rails' rules of inflection.
    public func singular(_ name: String) -> String { Inflection.singular(name) }
    /// By Rails' rules of inflection.
    public func plural(_ name: String) -> String { Inflection.plural(name) }
}

extension Adapter {
    /// The routing style `rails`.
    public static var rails: Adapter { .style(RailsStyle()) }
}
