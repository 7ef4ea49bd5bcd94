/// One setting in force.
public struct Setting: Sendable, Hashable {
    /// The dotted path: `resources.tasks.pages.kind`.
    public var path: String
    /// The value as YAML would write it on one line; secrets appear by name only.
    public var value: String
    /// `atmosphere.yaml:12:3`, `style django-rest`, or `default`.
    public var origin: String

    /// A setting with its value and its origin, each as it is shown.
    package init(path: String, value: String, origin: String) {
        self.path = path
        self.value = value
        self.origin = origin
    }
}
