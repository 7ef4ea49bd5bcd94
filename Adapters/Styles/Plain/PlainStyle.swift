public import AtmosphereRouting

/// The least that a REST API can agree on: `/tasks` and `/tasks/{id}`, PUT of the whole record, bare arrays, no pages.
///
/// The default of a route file, and the one to start from where no other style fits.
public struct PlainStyle: RoutingStyle {
    /// A style; it has nothing to set.
    public init() {}

    /// `plain`
    public var name: String { "plain" }

    /// The defaults of the family, in the route file's vocabulary.
    public var document: String {
        """
        {
            "list": { "path": "/{path}" },
            "read": { "path": "/{path}/{id}" },
            "create": { "path": "/{path}" },
            "update": { "method": "PUT", "path": "/{path}/{id}", "body": "whole" },
            "delete": { "path": "/{path}/{id}" },
            "pages": "none",
            "version": "compare"
        }
        """
    }
}

extension Adapter {
    /// The routing style `plain`.
    public static var plain: Adapter { .style(PlainStyle()) }
}
