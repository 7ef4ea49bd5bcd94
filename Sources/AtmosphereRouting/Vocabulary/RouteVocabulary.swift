/// The route file's vocabulary, version 1: every key with what may stand there and what holds where nothing does.
///
/// The reference for people is the guide "The route file"; a test compares the two.
package enum RouteVocabulary {
    /// What stands once in a file, beside its resources.
    package static let settings = RouteMapShape([
        RouteKey("atmosphere", .leaf(.vocabulary), isRequired: true),
        RouteKey("name", .leaf(.name)),
        RouteKey("style", .leaf(.name), .scalar("plain")),
        RouteKey("base", .leaf(.base), isRequired: true),
        RouteKey("store", .map(store), .members),
        RouteKey("transport", .map(transport), .members),
        RouteKey("auth", .map(auth), .scalar("none")),
        RouteKey("secrets", .map(RouteMapShape([RouteKey("file", .leaf(.name))]))),
        RouteKey("limits", .map(limits), .members),
        RouteKey("live", .map(live))
    ])

    /// The route file.
    package static let document = RouteMapShape(
        settings.keys + [RouteKey("resources", .named(.entity, .map(resource)))] + resourceDefaults
    ).with(\.later, laterInDocument + laterInResource)

    /// A routing style's document: defaults for every resource.
    package static let style = RouteMapShape([RouteKey("path", .leaf(.path))] + resourceDefaults).with(
        \.later, laterInResource)

    private static let laterInDocument = ["notifications", "discover", "schema"]
    static let laterInResource = ["map", "subscribe"]

    private static let store = RouteMapShape([
        RouteKey("kind", .leaf(.name), .scalar("sqlite")),
        RouteKey("path", .leaf(.name)),
        RouteKey("settings", .named(.name, .anything))
    ]).with(\.word, .at(["kind"]))

    private static let transport = RouteMapShape([
        RouteKey("kind", .leaf(.name), .scalar("curl")),
        RouteKey("timeout", .leaf(.duration), .scalar("60s")),
        RouteKey("connect-timeout", .leaf(.duration), .scalar("10s")),
        RouteKey("path", .leaf(.name)),
        RouteKey("matching", .leaf(.choice(["strict", "lenient"])), .scalar("strict")),
        RouteKey("settings", .named(.name, .anything))
    ]).with(\.word, .at(["kind"]))

    private static let live = RouteMapShape([
        RouteKey("url", .leaf(.liveURL), isRequired: true),
        RouteKey("key", .leaf(.secret), isRequired: true),
        RouteKey("kind", .leaf(.name), .scalar("socket.io")),
        RouteKey("rooms", .list(.leaf(.name), mayBeSingle: true)),
        RouteKey(
            "transports", .leaf(.choice(LiveSettings.Transports.allCases.map(\.rawValue))), .scalar("both")),
        RouteKey("proxy", .leaf(.proxy)),
        RouteKey("certificates", .leaf(.name)),
        RouteKey(
            "publish",
            .map(
                RouteMapShape([
                    RouteKey("key", .leaf(.secret), isRequired: true),
                    RouteKey("url", .leaf(.webURL))
                ])))
    ])

    private static let limits = RouteMapShape([
        RouteKey("concurrent", .leaf(.whole(1...64)), .scalar("4")),
        RouteKey("rate", .leaf(.rate)),
        RouteKey("remaining", .leaf(.headerName), .scalar("X-RateLimit-Remaining")),
        RouteKey("reset", .leaf(.headerName), .scalar("X-RateLimit-Reset")),
        RouteKey("body", .leaf(.size), .scalar("64MiB")),
        RouteKey("depth", .leaf(.whole(1...512)), .scalar("512")),
        RouteKey("values", .leaf(.whole(1...100_000_000)), .scalar("1000000")),
        RouteKey("attempts", .leaf(.whole(1...1000)), .scalar("5")),
        RouteKey("pages", .leaf(.whole(1...100_000_000)), .scalar("100000"))
    ])
}
