public import AtmosphereRouting

/// The conventions of Django REST framework: trailing slashes, `results` and `next`, PATCH, errors by field.
///
/// XML is that of djangorestframework-xml: `root` and `list-item`, without types.
///
/// A list may also be a bare array, which is what a view without pagination answers. No member is read-only by default
/// but the identifier, for the framework ignores read-only fields that are sent; name them in `readonly` to keep them
/// out of the requests. Sign in with `auth: { token: secret:NAME }`, which sends `Authorization: Token …`.
///
/// - SeeAlso: <https://www.django-rest-framework.org/api-guide/routers/>, `…/pagination/` and `…/exceptions/`
public struct DjangoRESTStyle: RoutingStyle {
    /// A style; it has nothing to set.
    public init() {}

    /// `django-rest`
    public var name: String { "django-rest" }

    /// The defaults of the family, in the route file's vocabulary.
    public var document: String {
        """
        {
            "list": { "path": "/{path}/" },
            "read": { "path": "/{path}/{id}/" },
            "create": { "path": "/{path}/" },
            "update": { "method": "PATCH", "path": "/{path}/{id}/", "body": "changed" },
            "delete": { "path": "/{path}/{id}/" },
            "items": "$.results",
            "xml": { "root": "root", "item": "list-item" },
            "pages": { "kind": "link-body", "next": "$.next", "total": "$.count" },
            "version": "compare",
            "errors": { "fields": "$", "messages": ["$.detail"], "general": ["non_field_errors", "detail"] }
        }
        """
    }
}

extension Adapter {
    /// The routing style `django-rest`.
    public static var djangoREST: Adapter { .style(DjangoRESTStyle()) }
}
