extension RouteVocabulary {
    /// Who we are to the API.
    package static let auth = RouteMapShape([
        RouteKey(
            "basic",
            .map(
                RouteMapShape([
                    RouteKey("username", .leaf(.credential), isRequired: true),
                    RouteKey("password", .leaf(.proof), isRequired: true)
                ]).with(\.word, .short(["ask": ["username": "ask", "password": "ask"]])))),
        RouteKey("bearer", .leaf(.proof)),
        RouteKey("token", .leaf(.proof)),
        RouteKey("scheme", .leaf(.headerName)),
        RouteKey(
            "send",
            .map(
                RouteMapShape([RouteKey("header", .leaf(.headerName)), RouteKey("query", .leaf(.name))])
                    .with(\.oneOf, ["header", "query"]).with(\.needsOne, true))),
        RouteKey(
            "key",
            .map(
                RouteMapShape([
                    RouteKey("header", .leaf(.headerName)),
                    RouteKey("query", .leaf(.name)),
                    RouteKey("value", .leaf(.proof), isRequired: true)
                ]).with(\.oneOf, ["header", "query"]).with(\.needsOne, true)
            )),
        RouteKey("for", .leaf(.choice(SignedRequests.allCases.map(\.rawValue)))),
        RouteKey("oauth2", .map(oauth2)),
        RouteKey("session", .map(session)),
        RouteKey("kind", .leaf(.name)),
        RouteKey("settings", .named(.name, .anything)),
        RouteKey("renewed", .map(tokenPlace)),
        RouteKey("tokens", .map(tokens)),
        RouteKey(
            "identity",
            .map(
                RouteMapShape([
                    RouteKey("path", .leaf(.fixedPath), isRequired: true),
                    RouteKey("field", .leaf(.selector), isRequired: true)
                ])))
    ])
    .with(\.word, .itself(["none"]))
    .with(\.oneOf, ["basic", "bearer", "token", "oauth2", "session", "kind"]).with(\.needsOne, true)
    .with(\.orAlone, ["key"])

    private static let byPerson = ["authorization_code", "device_code"]

    private static let oauth2 = RouteMapShape([
        RouteKey("grant", .leaf(.choice(OAuth2Settings.Grant.allCases.map(\.rawValue))), isRequired: true),
        RouteKey("authorize", .leaf(.endpoint), isRequired: true, kinds: ["authorization_code"]),
        RouteKey("device", .leaf(.endpoint), isRequired: true, kinds: ["device_code"]),
        RouteKey("token", .leaf(.endpoint), isRequired: true),
        RouteKey("revoke", .leaf(.endpoint)),
        RouteKey("issuer", .leaf(.endpoint), kinds: ["authorization_code"]),
        RouteKey(
            "client",
            .map(
                RouteMapShape([
                    RouteKey("id", .leaf(.credential), isRequired: true),
                    RouteKey("secret", .leaf(.secret)),
                    RouteKey(
                        "authentication",
                        .leaf(.choice(OAuth2Settings.Client.Authentication.allCases.map(\.rawValue))), .scalar("basic"))
                ])), isRequired: true),
        RouteKey("refresh", .leaf(.secret), isRequired: true, kinds: ["refresh_token"]),
        RouteKey("scopes", .list(.leaf(.scope), mayBeSingle: true)),
        RouteKey("parameters", .named(.name, .leaf(.text)), kinds: byPerson + ["client_credentials"]),
        RouteKey(
            "redirect",
            .map(
                RouteMapShape([
                    RouteKey("host", .leaf(.choice(["127.0.0.1", "localhost"])), .scalar("127.0.0.1")),
                    RouteKey("port", .leaf(.whole(0...65_535)), .scalar("0")),
                    RouteKey("path", .leaf(.fixedPath), .scalar("/"))
                ])), .members, kinds: ["authorization_code"])
    ]).with(\.kind, "grant")

    /// Where an answer has a token.
    private static let tokenPlace = RouteMapShape([
        RouteKey("body", .leaf(.selector)), RouteKey("header", .leaf(.headerName)),
        RouteKey("cookie", .leaf(.headerName))
    ]).with(\.oneOf, ["body", "header", "cookie"]).with(\.needsOne, true)

    private static let session = RouteMapShape([
        RouteKey("post", .leaf(.fixedPath)),
        RouteKey("put", .leaf(.fixedPath)),
        RouteKey("get", .leaf(.fixedPath)),
        RouteKey("coding", .leaf(.choice(SessionSettings.Coding.allCases.map(\.rawValue))), .scalar("json")),
        RouteKey("root", .leaf(.name)),
        RouteKey("fields", .named(.name, .leaf(.credential)), isRequired: true),
        RouteKey("token", .map(tokenPlace), isRequired: true),
        RouteKey(
            "send",
            .map(
                RouteMapShape([
                    RouteKey("header", .leaf(.headerName)), RouteKey("scheme", .leaf(.headerName)),
                    RouteKey("cookie", .leaf(.headerName)), RouteKey("query", .leaf(.name))
                ]).with(\.oneOf, ["header", "cookie", "query"]).with(\.needsOne, true))),
        RouteKey("lifetime", .leaf(.duration)),
        RouteKey(
            "logout",
            .map(
                RouteMapShape([
                    RouteKey("post", .leaf(.fixedPath)), RouteKey("delete", .leaf(.fixedPath)),
                    RouteKey("get", .leaf(.fixedPath))
                ]).with(\.oneOf, ["post", "delete", "get"]).with(\.needsOne, true)))
    ]).with(\.oneOf, ["post", "put", "get"]).with(\.needsOne, true)

    private static let tokens = RouteMapShape([
        RouteKey("file", .leaf(.name)),
        RouteKey("load", .list(.leaf(.name))),
        RouteKey("save", .list(.leaf(.name))),
        RouteKey("remove", .list(.leaf(.name)))
    ]).with(\.oneOf, ["file", "load"]).with(\.needsOne, true)
}
