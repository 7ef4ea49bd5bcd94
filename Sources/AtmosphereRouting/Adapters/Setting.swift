/// One setting in force.
package struct Setting: Sendable, Hashable {
    /// The dotted path: `resources.tasks.pages.kind`.
    package var path: String
    /// The value as YAML would write it on one line; secrets appear by name only.
    package var value: String
    /// `atmosphere.yaml:12:3`, `style django-rest`, or `default`.
    package var origin: String

    /// A setting with its value and its origin, each as it is shown.
    package init(path: String, value: String, origin: String) {
        self.path = path
        self.value = value
        self.origin = origin
    }
}
