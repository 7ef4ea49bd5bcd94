/// A part that the route file names cannot be had.
package struct AdapterError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, for code to tell.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        package let description: String
        package init(_ description: String) { self.description = description }

        /// The program was not built with it, or did not pass it.
        package static let notLinked = Code("notLinked")
        /// It cannot be used on this system.
        package static let unsupported = Code("unsupported")
    }

    /// What went wrong, for code; ``message`` is for people.
    package var code: Code
    /// Names the part, what is linked, and the product that holds the missing one.
    package var message: String

    /// An error whose message names the part and what to do about it.
    package init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}

extension AdapterError {
    /// The adapters of this package: what a route file says, the product and the static member that a program passes.
    private static let products: [AdapterKind: [String: (product: String, member: String)]] = [
        .document: ["yaml": ("AtmosphereYAML", "yaml"), "yml": ("AtmosphereYAML", "yaml")],
        .style: [
            "django-rest": ("AtmosphereDjangoREST", "djangoREST"), "plain": ("AtmospherePlain", "plain"),
            "google-tasks": ("AtmosphereGoogleTasks", "googleTasks"), "rails": ("AtmosphereRails", "rails"),
            "json-api": ("AtmosphereJSONAPI", "jsonAPI"), "cloudkit": ("AtmosphereCloudKit", "cloudKit"),
            "cloudkit-changes": ("AtmosphereCloudKit", "cloudKitChanges")
        ],
        .store: ["sqlite": ("AtmosphereSQLite", "sqlite"), "json-file": ("AtmosphereJSONFile", "jsonFile")],
        .transport: [
            "curl": ("AtmosphereCurl", "curl"), "urlsession": ("AtmosphereURLSession", "urlSession"),
            "replay": ("AtmosphereReplay", "replay")
        ],
        .messages: ["socket.io": ("AtmosphereSocketIOClient", "socketIO")],
        .format: ["xml": ("AtmosphereXML", "xml")],
        .coding: ["xml": ("AtmosphereXML", "xml")],
        .authenticator: ["oauth2": ("AtmosphereOAuth2", "oauth2")]
    ]

    static func unsupported(_ kind: AdapterKind, _ name: String, _ reason: String) -> AdapterError {
        AdapterError(
            code: .unsupported, message: "\(kind.rawValue) \(name.quoted) cannot be used on this system: \(reason)")
    }

    package static func notLinked(_ kind: AdapterKind, _ name: String, linked: [String]) -> AdapterError {
        let known = linked.isEmpty ? "none is" : "linked are: \(linked.joined(separator: ", "))"
        let ours = products[kind] ?? [:]
        let remedy =
            if let part = ours[name] {
                ". Add the product \(part.product) and pass .\(part.member)"
            } else if let near = NearestName.of(name, among: linked + ours.keys.sorted()) {
                ". Did you mean \(near.quoted)?"
            } else {
                ""
            }
        let what = kind == .document ? "a reader for route files ending in" : kind.rawValue
        return AdapterError(code: .notLinked, message: "\(what) \(name.quoted) is not linked; \(known)\(remedy)")
    }
}
