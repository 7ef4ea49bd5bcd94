extension RouteVocabulary {
    /// How one member's content travels.
    package static let attachment = RouteMapShape([
        RouteKey("upload", .map(upload)),
        RouteKey("download", .map(download)),
        RouteKey("identity", .leaf(.selector)),
        RouteKey("origins", .list(.leaf(.endpoint), mayBeSingle: true)),
        RouteKey("timeout", .leaf(.duration), .scalar("10m"))
    ])

    /// The requests that can ask where content goes.
    static let askVerbs = ["get", "post", "put"]
    /// The requests that can ask where content is.
    private static let downloadAskVerbs = ["get", "post"]

    private static let upload = RouteMapShape([
        RouteKey("ask", .map(ask)),
        RouteKey("path", .leaf(.path)),
        RouteKey("method", .leaf(.choice(["PUT", "POST", "PATCH"])), .scalar("PUT")),
        RouteKey("query", texts),
        RouteKey("media-type", .leaf(.mediaType)),
        RouteKey("part", .leaf(.name)),
        RouteKey("file-name", .leaf(.name)),
        RouteKey("resumable", .leaf(.choice(["tus"]))),
        RouteKey("metadata", texts),
        RouteKey("value", .leaf(.selector)),
        RouteKey("set", .anything)
    ]).with(\.oneOf, ["ask", "path"]).with(\.needsOne, true)

    private static let ask = RouteMapShape(
        askVerbs.map { RouteKey($0, .leaf(.path)) } + [
            RouteKey("query", texts),
            RouteKey("set", .named(.name, .anything)),
            RouteKey("url", .leaf(.selector), isRequired: true),
            RouteKey("headers", .leaf(.selector)),
            RouteKey("value", .leaf(.selector))
        ]
    ).with(\.oneOf, askVerbs).with(\.needsOne, true)

    private static let download = RouteMapShape([
        RouteKey("path", .leaf(.path)),
        RouteKey("url", .leaf(.selector)),
        RouteKey("ask", .map(downloadAsk)),
        RouteKey("file-name", .leaf(.name)),
        RouteKey("media-type", .leaf(.mediaType))
    ]).with(\.oneOf, ["path", "url", "ask"]).with(\.needsOne, true)

    private static let downloadAsk = RouteMapShape(
        downloadAskVerbs.map { RouteKey($0, .leaf(.path)) } + [
            RouteKey("query", texts),
            RouteKey("set", .named(.name, .anything)),
            RouteKey("url", .leaf(.selector), isRequired: true)
        ]
    ).with(\.oneOf, downloadAskVerbs).with(\.needsOne, true)

    static let meaningsOfAttachments: [String: String] = [
        "attachments": "How the contents of members travel, by member; * is for every one that is not there.",
        "attachments.upload": "How content is sent.",
        "attachments.upload.ask": "A request under base that says where the content goes.",
        "attachments.upload.ask.get": "The path of a GET.",
        "attachments.upload.ask.post": "The path of a POST.",
        "attachments.upload.ask.put": "The path of a PUT.",
        "attachments.upload.ask.query": "Added to this request; {file.name} and the like are places.",
        "attachments.upload.ask.set": "The body of this request; {file.name} and the like are places.",
        "attachments.upload.ask.url": "Where the answer holds the URL that the content goes to.",
        "attachments.upload.ask.headers": "Where the answer holds the headers to be sent with the content.",
        "attachments.upload.ask.value": "What of this answer the member is set to.",
        "attachments.upload.path": "Where the content goes, where nobody has to be asked.",
        "attachments.upload.method": "The method of the request that carries the content.",
        "attachments.upload.query":
            "Added to the request that carries the content; {file.name} and the like are places.",
        "attachments.upload.media-type": "The media type that the content is sent with, whatever the file's own is.",
        "attachments.upload.part": "The name of the content's part in a form; without it the body is the content.",
        "attachments.upload.file-name":
            "What the file is called; {id}, {file.name} and members of the object are places.",
        "attachments.upload.value": "What of the answer to the content the member is set to.",
        "attachments.upload.resumable": "tus: the upload goes on where a cut has ended it (tus 1.0).",
        "attachments.upload.metadata":
            "What is told of the content when a resumable upload begins; {file.name} and the like are places.",
        "attachments.upload.set":
            "What the member is set to; {value} is what was found in the answer, {url} that of a resumable upload.",
        "attachments.download": "How content is fetched.",
        "attachments.download.path": "The path of the content.",
        "attachments.download.url": "Where the URL stands in the member's value; $ where the value is the URL.",
        "attachments.download.ask": "A request under base that says where the content is.",
        "attachments.download.ask.get": "The path of a GET.",
        "attachments.download.ask.post": "The path of a POST.",
        "attachments.download.ask.query": "Added to this request; {id} and members of the object are places.",
        "attachments.download.ask.set": "The body of this request; {id} and members of the object are places.",
        "attachments.download.ask.url": "Where the answer holds the URL of the content.",
        "attachments.download.file-name": "What stands in the URL for the name of the file.",
        "attachments.download.media-type": "What the content is; a document that comes in its place is an error.",
        "attachments.identity": "Where the member's value tells one content from another; the rest of it may change.",
        "attachments.origins": "Servers beside that of base which the credentials are sent to as well.",
        "attachments.timeout": "How long the transfer of one content may take."
    ]
}
