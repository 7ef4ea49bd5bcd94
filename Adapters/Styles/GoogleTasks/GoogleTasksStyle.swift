public import AtmosphereRouting

/// The conventions of Google Tasks, which many of Google's older APIs share: `items`, `nextPageToken` and `pageToken`,
/// PATCH, entity tags in the field `etag`, errors with a `reason`.
///
/// A list without objects has no `items` at all. A 403 means the rate limit or a missing scope; its `reason` tells:
/// the first makes the origin pause, the second asks to sign in again, and in neither case is a change refused for good.
///
/// Sign in with `auth: { bearer: secret:NAME }`.
///
/// - SeeAlso: <https://developers.google.com/workspace/tasks/reference/rest>
public struct GoogleTasksStyle: RoutingStyle {
    /// A style; it has nothing to set.
    public init() {}

    /// `google-tasks`
    public var name: String { "google-tasks" }

    /// The defaults of the family, in the route file's vocabulary.
    public var document: String {
        """
        {
            "list": { "path": "/{path}" },
            "read": { "path": "/{path}/{id}" },
            "create": { "path": "/{path}" },
            "update": { "method": "PATCH", "path": "/{path}/{id}", "body": "changed" },
            "delete": { "path": "/{path}/{id}" },
            "items": { "path": "$.items", "optional": true },
            "pages": {
                "kind": "token", "next": "$.nextPageToken", "parameter": "pageToken",
                "size": { "parameter": "maxResults", "value": 100 }
            },
            "version": { "field": "$.etag", "send": "if-match" },
            "readonly": ["kind", "etag", "updated", "selfLink"],
            "types": { "id": "string", "updated": "instant" },
            "errors": {
                "fields": "$.error.errors",
                "field": "$.location",
                "messages": ["$.error.message", "$.error_description"],
                "rules": [
                    {
                        "status": 403, "path": "$.error.errors[*].reason", "treat": "wait",
                        "equals": ["rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded"]
                    },
                    {
                        "status": 403, "path": "$.error.errors[*].reason", "treat": "unauthorized",
                        "equals": ["insufficientPermissions", "authError"]
                    }
                ]
            }
        }
        """
    }
}

extension Adapter {
    /// The routing style `google-tasks`.
    public static var googleTasks: Adapter { .style(GoogleTasksStyle()) }
}
