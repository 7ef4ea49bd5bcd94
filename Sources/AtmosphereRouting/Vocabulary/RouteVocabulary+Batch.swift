extension RouteVocabulary {
    package static let batchVerbs = ["post", "put", "patch"]
    /// The operations that a batch can carry.
    static let batchItems = ["create", "update", "delete", "read"]

    /// An endpoint for several writes at once.
    package static let batch = RouteMapShape(
        batchVerbs.map { RouteKey($0, .leaf(.path)) } + [
            RouteKey("query", texts),
            RouteKey("media-type", .leaf(.mediaType)),
            RouteKey("size", .leaf(.whole(1...10_000)), .scalar("100")),
            RouteKey("items", .leaf(.selector)),
            RouteKey("set", .named(.name, .anything)),
            RouteKey("since", .leaf(.selector)),
            RouteKey("create", .map(RouteMapShape(item + [idempotency]))),
            RouteKey("update", .map(RouteMapShape(item + [version, idempotency]))),
            RouteKey("delete", .map(RouteMapShape(item + [version, idempotency]))),
            RouteKey("read", .map(RouteMapShape(item.filter { $0.name != "body" }))),
            RouteKey("results", .list(.map(results), mayBeSingle: true))
        ]
    ).with(\.oneOf, batchVerbs).with(\.needsOne, true).with(\.instead, insteadOfPath)

    private static let item = [
        RouteKey("set", .named(.name, .anything)),
        RouteKey("body", .leaf(.selector)),
        RouteKey("id", .leaf(.selector)),
        RouteKey("path", .leaf(.selector)),
        RouteKey("key", .leaf(.selector))
    ]
    private static let version = RouteKey("version", .leaf(.selector))
    private static let idempotency = RouteKey("idempotency", .list(.leaf(.selector), mayBeSingle: true))

    private static let results = RouteMapShape([
        RouteKey("path", .leaf(.selector)),
        RouteKey(
            "match",
            .map(
                RouteMapShape([
                    RouteKey("sent", .leaf(.selector), isRequired: true),
                    RouteKey("found", .leaf(.selector))
                ]).with(\.word, .itself(["position"]))), .scalar("position")),
        RouteKey("status", .leaf(.selector)),
        RouteKey("codes", .named(.name, .leaf(.whole(100...599)))),
        RouteKey("retry-after", .leaf(.selector)),
        RouteKey("body", .leaf(.selector)),
        RouteKey("error", .leaf(.selector)),
        RouteKey("id", .leaf(.selector)),
        RouteKey("version", .leaf(.selector)),
        RouteKey(
            "ids",
            .map(
                RouteMapShape([
                    RouteKey("path", .leaf(.selector), isRequired: true),
                    RouteKey("sent", .leaf(.selector), isRequired: true)
                ])))
    ])
}
