extension RouteVocabulary {
    /// One resource.
    package static let resource = RouteMapShape(
        [
            RouteKey("path", .leaf(.path)),
            RouteKey("singular", .leaf(.name)),
            RouteKey("plural", .leaf(.name)),
            RouteKey("parent", .named(.name, .leaf(.name))),
            RouteKey("references", .named(.name, .leaf(.name)))
        ] + resourceDefaults
    ).with(\.later, laterInResource)

    /// Keys of a resource that may also stand at the top of the file, and in a style, for every resource.
    static let resourceDefaults = [
        RouteKey("format", .leaf(.name), .scalar("json")),
        RouteKey("coding", .leaf(.name)),
        RouteKey("media-type", .leaf(.mediaType)),
        RouteKey("xml", .map(xml)),
        RouteKey("items", .map(items)),
        RouteKey("item", .leaf(.selector)),
        RouteKey("root", .map(root)),
        RouteKey("id", .map(id), .members),
        RouteKey("ids", .leaf(.choice(["global", "per-parent"])), .scalar("global")),
        RouteKey("query", texts),
        RouteKey("headers", .named(.ownHeader, .leaf(.headerValue))),
        RouteKey("list", operation("GET", bodies: [], others: [set, parameters, conditional])),
        RouteKey("read", operation("GET", bodies: [])),
        RouteKey(
            "create", operation("POST", bodies: ["whole", "none"], others: [answeredID, idempotency, conditional])),
        RouteKey("update", operation("PUT", bodies: ["whole", "changed", "none"], others: [answeredID])),
        RouteKey("delete", operation("DELETE", bodies: ["none", "whole"])),
        RouteKey("pages", .map(pages), .members),
        RouteKey("detail", .leaf(.choice(Detail.allCases.map(\.rawValue))), .scalar("on-change")),
        RouteKey("since", .map(since)),
        RouteKey("deletes", .map(deletes), .members),
        RouteKey("version", .map(version), .scalar("compare")),
        RouteKey("readonly", names),
        RouteKey("writeonly", names),
        RouteKey(
            "lookup",
            .map(
                RouteMapShape([
                    RouteKey("field", .leaf(.name), isRequired: true),
                    RouteKey("query", .leaf(.name)),
                    RouteKey("without", names),
                    RouteKey("path", .leaf(.path)),
                    RouteKey("items", .leaf(.selector)),
                    RouteKey("prefix", .leaf(.text)),
                    RouteKey("quotes", .leaf(.choice(Since.Quotes.allCases.map(\.rawValue)))),
                    RouteKey("suffix", .leaf(.text))
                ]))),
        RouteKey(
            "duplicate",
            .map(
                RouteMapShape([
                    RouteKey("status", statuses, isRequired: true),
                    RouteKey("field", .leaf(.name))
                ]))),
        RouteKey("conflict", .map(conflict), .members),
        RouteKey("fields", .named(.name, .map(field))),
        RouteKey("types", .named(.name, .leaf(.choice(FieldType.allCases.map(\.rawValue))))),
        RouteKey("links", .named(.name, .leaf(.choice(LinkForm.allCases.map(\.rawValue))))),
        RouteKey("merge", .named(.name, .leaf(.choice(FieldRules.Merge.allCases.map(\.rawValue))))),
        RouteKey("together", .list(names)),
        RouteKey("absent-equals", .list(.anything)),
        RouteKey("indexes", .list(.list(.leaf(.name), mayBeSingle: true))),
        RouteKey("errors", .map(errors)),
        RouteKey("lease", .map(lease)),
        RouteKey(
            "retention",
            .map(
                RouteMapShape([
                    RouteKey("keep", .leaf(.duration), isRequired: true),
                    RouteKey("by", .leaf(.name), isRequired: true)
                ]))),
        RouteKey("actions", .named(.name, .map(action))),
        RouteKey("views", .named(.name, .map(view))),
        RouteKey("attachments", .named(.name, .map(attachment))),
        RouteKey("batch", .list(.map(batch), mayBeSingle: true))
    ]

    static let operationNames = ["list", "read", "create", "update", "delete"]
    package static let actionVerbs = ["get", "post", "put", "patch", "delete"]
    /// Where the method is the key of the path.
    static let insteadOfPath = Dictionary(
        uniqueKeysWithValues: ["path", "url", "method"].map { ($0, "the path stands behind its method: post: PATH") })

    package static let names = RouteShape.list(.leaf(.name))
    package static let texts = RouteShape.named(.name, .leaf(.text))
    private static let statuses = RouteShape.list(.leaf(.whole(100...599)), mayBeSingle: true)
    private static let idempotency = RouteKey("idempotency-header", .leaf(.headerName))
    private static let answeredID = RouteKey("id", .leaf(.selector))
    private static let set = RouteKey("set", .named(.name, .anything))
    private static let parameters = RouteKey("parameters", .leaf(.choice(["body", "query"])))
    private static let conditional = RouteKey("conditional", .leaf(.boolean))
    /// In the body, or in a header.
    private static let placeInAnswer = RouteShape.map(
        RouteMapShape([RouteKey("body", .leaf(.selector)), RouteKey("header", .leaf(.headerName))])
            .with(\.word, .at(["body"])).with(\.oneOf, ["body", "header"]).with(\.needsOne, true))

    /// The same for what is true or false.
    private static let placeOfFlag = RouteShape.map(
        RouteMapShape([
            RouteKey("body", .leaf(.selector)), RouteKey("header", .leaf(.headerName)),
            RouteKey("equals", .leaf(.boolean))
        ]).with(\.word, .at(["body"])).with(\.oneOf, ["body", "header"]).with(\.needsOne, true))

    private static let root = RouteMapShape([RouteKey("read", .leaf(.name)), RouteKey("write", .leaf(.name))])
        .with(\.word, .at(["read", "write"]))

    private static let xml = RouteMapShape([
        RouteKey("root", .leaf(.name)),
        RouteKey("item", .leaf(.name)),
        RouteKey("types", .leaf(.boolean)),
        RouteKey("dashes", .leaf(.boolean)),
        RouteKey("attributes", .leaf(.boolean)),
        RouteKey("lists", .list(.leaf(.name)))
    ])

    private static let field = RouteMapShape([
        RouteKey("read", .leaf(.selector)),
        RouteKey("write", .leaf(.selector)),
        RouteKey("set", .named(.name, .anything)),
        RouteKey("null", .leaf(.choice(["value", "holder"]))),
        RouteKey("type", .leaf(.choice(FieldType.allCases.map(\.rawValue))))
    ]).with(\.word, .at(["type"]))
    private static let items = RouteMapShape([
        RouteKey("path", .leaf(.selector), isRequired: true),
        RouteKey("optional", .leaf(.boolean), .scalar("false")),
        RouteKey("failed", .leaf(.selector))
    ]).with(\.word, .at(["path"]))

    private static let id = RouteMapShape([
        RouteKey("field", .leaf(.selector), .scalar("id")),
        RouteKey("assigned", .leaf(.choice(IDAssignment.allCases.map(\.rawValue))), .scalar("server")),
        RouteKey("link", .leaf(.boolean))
    ]).with(\.word, .at(["field"]))

    private static func operation(_ method: String, bodies: [String], others: [RouteKey] = []) -> RouteShape {
        var keys = [
            RouteKey("method", .leaf(.choice(["GET", "POST", "PUT", "PATCH", "DELETE"])), .scalar(method)),
            RouteKey("path", .leaf(.path), isRequired: true)
        ]
        if let usual = bodies.first {
            keys.append(RouteKey("body", .leaf(.choice(bodies)), .scalar(usual)))
            keys.append(RouteKey("set", .named(.name, .anything)))
            keys.append(RouteKey("with", names))
            keys.append(RouteKey("without", names))
        }
        keys.append(RouteKey("query", texts))
        keys.append(RouteKey("headers", .named(.ownHeader, .leaf(.headerValue))))
        keys.append(RouteKey("item", .leaf(.selector)))
        keys.append(RouteKey("shape", .leaf(.choice(Operation.Shape.allCases.map(\.rawValue))), .scalar("whole")))
        return .map(RouteMapShape(keys + others).with(\.isOffByNull, true))
    }

    private static let linked = ["link-body", "link-header", "token"]
    private static let pageKinds = ["none", "number", "offset"] + linked

    private static let pages = RouteMapShape([
        RouteKey("kind", .leaf(.choice(pageKinds)), .scalar("none")),
        RouteKey("parameter", .leaf(.name), isRequired: true, kinds: ["number", "offset", "token"]),
        RouteKey("next", placeInAnswer, isRequired: true, kinds: ["link-body", "token"]),
        RouteKey("header", .leaf(.headerName), .scalar("Link"), kinds: ["link-header"]),
        RouteKey("more", placeOfFlag, kinds: linked + ["number", "offset"]),
        RouteKey("first", .leaf(.whole(0...1_000_000)), .scalar("1"), kinds: ["number"]),
        RouteKey("total", placeInAnswer, kinds: linked + ["number", "offset"]),
        RouteKey("total-pages", placeInAnswer, kinds: ["number"]),
        RouteKey("end-status", statuses, kinds: linked + ["number", "offset"]),
        RouteKey(
            "size",
            .map(
                RouteMapShape([
                    RouteKey("parameter", .leaf(.name), isRequired: true),
                    RouteKey("value", .leaf(.whole(1...1_000_000)), isRequired: true)
                ])), kinds: linked + ["number", "offset"])
    ])
    .with(\.kind, "kind").with(\.word, .short(["none": ["kind": "none"]]))
    .with(\.oneOf, ["total", "total-pages"])

    private static let since = RouteMapShape([
        RouteKey("send", .leaf(.name), isRequired: true),
        RouteKey(
            "from",
            .map(
                RouteMapShape([
                    RouteKey("field", .leaf(.selector)), RouteKey("header", .leaf(.headerName)),
                    RouteKey("body", .leaf(.selector)), RouteKey("page", .leaf(.choice(["first", "last"])))
                ]).with(\.word, .itself(["response-date"])).with(\.oneOf, ["field", "header", "body"])
                    .with(\.needsOne, true)
            ), isRequired: true),
        RouteKey("overlap", .leaf(.duration), .scalar("1m")),
        RouteKey("expires", .leaf(.duration)),
        RouteKey("full-every", .leaf(.durationOrNever), .scalar("P7D")),
        RouteKey("order", .leaf(.choice(["none", "cursor-ascending"])), .scalar("none")),
        RouteKey("query", texts),
        RouteKey("full-query", texts),
        RouteKey("format", .leaf(.timeFormat)),
        RouteKey("prefix", .leaf(.text)),
        RouteKey("quotes", .leaf(.choice(Since.Quotes.allCases.map(\.rawValue)))),
        RouteKey("suffix", .leaf(.text))
    ])

    private static let deletes = RouteMapShape([
        RouteKey("absent", .leaf(.boolean), .scalar("false")),
        RouteKey("field", .leaf(.selector)),
        RouteKey("equals", .anything),
        RouteKey("present", .leaf(.boolean)),
        RouteKey("list", .map(tombstones)),
        RouteKey("online", .leaf(.boolean), .scalar("false"))
    ])
    .with(\.oneOf, ["equals", "present"])
    .with(
        \.word,
        .short([
            "absent": ["absent": "true"],
            "online": ["online": "true"],
            "never": ["absent": "false", "field": "null", "equals": "null", "present": "null", "list": "null"]
        ]))

    /// What is left out of `items`, `id` and `pages` is as in the resource's own list.
    private static let tombstones = RouteMapShape([
        RouteKey("path", .leaf(.path), isRequired: true),
        RouteKey("query", texts),
        RouteKey("items", .map(items)),
        RouteKey(
            "id",
            .map(
                RouteMapShape([RouteKey("field", .leaf(.selector)), RouteKey("link", .leaf(.boolean))])
                    .with(\.word, .at(["field"])))),
        RouteKey("pages", .map(pages)),
        RouteKey("since", .map(since))
    ]).with(\.word, .at(["path"]))

    private static let version = RouteMapShape([
        RouteKey("field", .leaf(.selector)),
        RouteKey("header", .leaf(.headerName)),
        RouteKey("send", .leaf(.choice(["if-match", "body", "none"])), isRequired: true),
        RouteKey("quotes", .leaf(.choice(VersionQuotes.allCases.map(\.rawValue)))),
        RouteKey("weak", .leaf(.choice(WeakVersions.allCases.map(\.rawValue)))),
        RouteKey("add", .leaf(.whole(1...1000))),
        RouteKey("order", .leaf(.choice(["none", "ascending"])), .scalar("none"))
    ])
    .with(\.word, .itself(["none", "compare"])).with(\.oneOf, ["field", "header"]).with(\.needsOne, true)

    private static let conflict = RouteMapShape([
        RouteKey("default", .leaf(.choice(policies)), .scalar("merge")),
        RouteKey("clash", .leaf(.choice(policies.filter { $0 != "merge" })), .scalar("ask")),
        RouteKey("fields", .named(.name, .leaf(.choice(policies)))),
        RouteKey("deleted-there", .leaf(.choice(deleteRules)), .scalar("ask")),
        RouteKey("deleted-here", .leaf(.choice(deleteRules)), .scalar("ask")),
        RouteKey("time", .leaf(.name))
    ])
    private static let policies = ConflictRules.Policy.allCases.map(\.rawValue)
    private static let deleteRules = ConflictRules.DeleteRule.allCases.map(\.rawValue)

    private static let errors = RouteMapShape([
        RouteKey("fields", .list(.leaf(.selector), mayBeSingle: true)),
        RouteKey("field", .leaf(.selector)),
        RouteKey("message", .list(.leaf(.selector), mayBeSingle: true)),
        RouteKey("messages", .list(.leaf(.selector), mayBeSingle: true)),
        RouteKey("general", .list(.leaf(.name), mayBeSingle: true)),
        RouteKey(
            "rules",
            .list(
                .map(
                    RouteMapShape([
                        RouteKey("status", statuses, isRequired: true),
                        RouteKey(
                            "method",
                            .list(
                                .leaf(.choice(["GET", "POST", "PUT", "PATCH", "DELETE"])), mayBeSingle: true)),
                        RouteKey("path", .leaf(.selector)),
                        RouteKey("equals", .list(.anything, mayBeSingle: true)),
                        RouteKey(
                            "treat", .leaf(.choice(ErrorRules.Treatment.allCases.map(\.rawValue))), isRequired: true)
                    ]))))
    ])

    private static let lease = RouteMapShape([
        RouteKey("acquire", .map(leaseRoute), isRequired: true),
        RouteKey("renew", .map(leaseRoute)),
        RouteKey("release", .map(leaseRoute)),
        RouteKey("ttl", .leaf(.duration), isRequired: true),
        RouteKey("every", .leaf(.duration)),
        RouteKey(
            "token",
            .map(
                RouteMapShape([
                    RouteKey("body", .leaf(.selector)), RouteKey("header", .leaf(.headerName)),
                    RouteKey("send", .leaf(.headerName), isRequired: true)
                ]).with(\.oneOf, ["body", "header"]).with(\.needsOne, true))),
        RouteKey("refused", .list(.map(refusal), mayBeSingle: true)),
        RouteKey("format", .leaf(.timeFormat)),
        RouteKey("mode", .leaf(.choice(Lease.Mode.allCases.map(\.rawValue))), .scalar("enforced"))
    ])
    private static let leaseRoute = RouteMapShape(
        actionVerbs.map { RouteKey($0, .leaf(.path)) } + [
            RouteKey("query", texts),
            RouteKey("headers", .named(.ownHeader, .leaf(.headerValue))),
            set
        ]
    ).with(\.oneOf, actionVerbs).with(\.needsOne, true).with(\.instead, insteadOfPath)

    /// An answer that says that somebody else has the lease: by its status alone, or by what its body holds as well.
    private static let refusal = RouteMapShape([
        RouteKey("status", statuses, isRequired: true),
        RouteKey("path", .leaf(.selector)),
        RouteKey("equals", .list(.anything, mayBeSingle: true))
    ]).with(\.word, .at(["status"]))

    private static let view = RouteMapShape([RouteKey("path", .leaf(.path)), RouteKey("query", texts)])

    private static let action = RouteMapShape(
        actionVerbs.map { RouteKey($0, .leaf(.path)) } + [
            RouteKey("when", names),
            RouteKey("query", names),
            RouteKey("body", names),
            RouteKey("root", .leaf(.name)),
            RouteKey("repeat", .leaf(.choice(["safe", "ask"])))
        ]
    ).with(\.oneOf, actionVerbs).with(\.needsOne, true).with(\.instead, insteadOfPath)
}
