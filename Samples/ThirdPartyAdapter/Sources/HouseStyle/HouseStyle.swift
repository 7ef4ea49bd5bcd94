public import AtmosphereRouting

/// The conventions of our own services: `/v2/tasks`, `data`, `meta.after`.
public struct HouseStyle: RoutingStyle {
    public var name: String { "house" }

    public var document: String {
        """
        {
            "list": { "path": "/v2/{path}" },
            "read": { "path": "/v2/{path}/{id}" },
            "create": { "path": "/v2/{path}" },
            "update": { "method": "PATCH", "path": "/v2/{path}/{id}", "body": "changed" },
            "delete": { "path": "/v2/{path}/{id}" },
            "items": "$.data",
            "root": { "write": "{singular}" },
            "pages": { "kind": "token", "next": "$.meta.after", "parameter": "after" },
            "version": { "header": "ETag", "send": "if-match" },
            "errors": { "fields": "$.errors", "messages": "$.message" }
        }
        """
    }

    /// The style has nothing to set.
    public init() {}

    public func singular(_ name: String) -> String { name.hasSuffix("s") ? String(name.dropLast()) : name }
}

extension Adapter {
    /// The style: `style: house`.
    public static var house: Adapter { .style(HouseStyle()) }
}
