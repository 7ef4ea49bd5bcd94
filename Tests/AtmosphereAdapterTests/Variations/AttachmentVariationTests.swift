#if YAML
    import Atmosphere
    import AtmosphereTesting
    import Synchronization
    import Testing

    /// How APIs take and give contents, each in a few lines of a route file.
    @Suite("Variations of attachments") struct AttachmentVariationTests {
        /// Signs by a header, and notes whose answers it is shown.
        private final class Key: Authenticator {
            private let urls = Mutex<[String]>([])

            var received: [String] { urls.withLock { $0 } }

            func receive(_ answer: SignedAnswer) async throws { urls.withLock { $0.append(answer.request.url) } }
            func authorize(_ request: inout Request) async throws {
                request.headers["Authorization"] = "Bearer hunter2"
            }
            func answer(_ challenge: Challenge) async throws -> ChallengeAnswer { .retry }
        }

        private static let todo = ObjectURI(entity: "todos", id: "1")
        private static let png = AttachmentContent(
            Array("picture".utf8), fileName: "my cat.png", mediaType: "image/png")

        private func api(_ attachments: String, style: String = "plain", more: String = "") async throws -> Variation {
            let api = try await Variation(
                """
                resources:
                  todos:
                    attachments: \(attachments)
                    \(more)
                """, style: style, authenticator: Key())
            api.transport.expect(
                "GET", style == "rails" ? "/v1/todos.json" : "/v1/todos",
                .json(#"[{"id": 1, "title": "A", "scan_url": null}]"#))
            try await api.synchronizer.pull()
            return api
        }

        /// Whether each request carried credentials, behind its method and URL.
        private func signed(_ api: Variation) -> [String] {
            api.transport.requests.dropFirst().map { recorded in
                let isSigned = recorded.request.headers["Authorization"] != nil
                return "\(recorded.request.method) \(recorded.request.url) \(isSigned ? "signed" : "bare")"
            }
        }

        private func text(_ content: AttachedContent) async throws -> String {
            String(decoding: try await content.bytes.collect(upTo: 1 << 20), as: UTF8.self)
        }

        @Test("Rails, Active Storage: ask with a checksum, send to the storage, save the signed identifier")
        func activeStorage() async throws {
            let api = try await api(
                """
                { scan: {
                      upload: {
                        ask: {
                          post: rails/active_storage/direct_uploads,
                          set: { blob: {
                            filename: "{file.name}", byte_size: "{file.size}", checksum: "{file.md5}",
                            content_type: "{file.type}" } },
                          url: $.direct_upload.url, headers: $.direct_upload.headers, value: $.signed_id } },
                      download: { url: $ } } }
                """, style: "rails", more: "fields: { scan: { read: scan_url, write: scan } }")
            let storage = "https://bucket.example/key?X-Signature=abc"
            api.transport.expect(
                "POST", "/v1/rails/active_storage/direct_uploads",
                .json(
                    #"{"signed_id": "SID", "direct_upload": {"url": "\#(storage)", "headers": "#
                        + #"{"Content-Type": "image/png", "Content-MD5": "x==", "Content-Length": 7}}}"#, status: 201))
            api.transport.expect("PUT", storage, .respond(200))
            try await api.synchronizer.attachNow(Self.png, as: "scan", to: Self.todo, sendingEdit: false)
            let asked = try #require(api.transport.requests.dropFirst().first)
            #expect(
                try Value(json: asked.body) == [
                    "blob": [
                        "filename": "my cat.png", "byte_size": 7, "checksum": "VFb8VMdKKXzplJmMKHOzcA==",
                        "content_type": "image/png"
                    ]
                ])
            let sent = try #require(api.transport.requests.last)
            #expect(sent.text == "picture" && sent.request.headers["Content-MD5"] == "x==")
            #expect(sent.request.headers["Content-Length"] == nil)
            #expect(
                signed(api) == [
                    "POST https://api.example/v1/rails/active_storage/direct_uploads signed", "PUT \(storage) bare"
                ])

            let shown = #"{"id": 1, "title": "A", "scan_url": "https://api.example/blobs/1"}"#
            api.transport.expect("GET", "/v1/todos/1.json", .json(#"{"id": 1, "title": "A", "scan_url": null}"#))
            api.transport.expect("PATCH", "/v1/todos/1.json", .json(shown))
            let report = try await api.synchronizer.push()
            #expect(report.updated == 1 && report.ignored.isEmpty, "\(report)")
            #expect(api.transport.requests.last?.text == #"{"todo":{"scan":"SID"}}"#)

            // The API's own server, outside the base, leads on to the storage.
            api.transport.expect(
                "GET", "https://api.example/blobs/1",
                .respond(302, headers: ["Location": "https://bucket.example/key?s=1"]))
            api.transport.expect(
                "GET", "https://bucket.example/key?s=1",
                .respond(headers: ["Content-Type": "image/png", "Content-Length": "7"], body: Array("picture".utf8)))
            let content = try await api.synchronizer.content(of: "scan", at: Self.todo)
            #expect(content.mediaType == "image/png" && content.length == 7)
            #expect(try await text(content) == "picture")
            #expect(
                signed(api).suffix(2) == [
                    "GET https://api.example/blobs/1 bare", "GET https://bucket.example/key?s=1 bare"
                ])
            try api.transport.check()
        }

        @Test("a path of its own takes and gives the content, with credentials, and the object is read again")
        func path() async throws {
            let api = try await api(
                #"{ scan: { upload: { path: "todos/{id}/scan" }, download: { path: "todos/{id}/scan" } } }"#)
            api.transport.expect("GET", "/v1/todos/1", .json(#"{"id": 1, "title": "A", "scan": null}"#))
            api.transport.expect("PUT", "/v1/todos/1/scan", .respond(401))
            api.transport.expect("PUT", "/v1/todos/1/scan", .respond(204))
            api.transport.expect("GET", "/v1/todos/1", .json(#"{"id": 1, "title": "A", "scan": "yes"}"#))
            try await api.synchronizer.attachNow(Self.png, as: "scan", to: Self.todo, sendingEdit: false)
            let put = try #require(api.transport.requests.dropFirst(2).first)
            #expect(put.text == "picture" && put.request.headers["Content-Type"] == "image/png")
            #expect(try await api.synchronizer.record(at: Self.todo)?["scan"] == "yes")
            #expect(try await api.synchronizer.pending().isEmpty)
            api.transport.expect("GET", "/v1/todos/1/scan", .respond(401))
            api.transport.expect("GET", "/v1/todos/1/scan", .respond(body: Array("picture".utf8)))
            let content = try await api.synchronizer.content(of: "scan", at: Self.todo)
            #expect(try await text(content) == "picture" && content.length == nil)
            #expect(signed(api).allSatisfy { $0.hasSuffix(" signed") })
            try api.transport.check()
        }

        @Test("a form carries the content as one part")
        func form() async throws {
            let api = try await api(
                #"{ scan: { upload: { path: uploads, method: POST, part: file, value: $.token } } }"#)
            api.transport.expect("POST", "/v1/uploads", .json(#"{"token": "t7"}"#, status: 201))
            try await api.synchronizer.attachNow(Self.png, as: "scan", to: Self.todo, sendingEdit: false)
            let sent = try #require(api.transport.requests.last)
            let type = try #require(sent.request.headers["Content-Type"])
            #expect(type.hasPrefix("multipart/form-data; boundary=atmosphere-"))
            #expect(sent.text.contains(#"name="file"; filename="my cat.png""#))
            #expect(sent.text.contains("\r\n\r\npicture\r\n--"))
            #expect(try await api.synchronizer.record(at: Self.todo)?["scan"] == "t7")
            #expect(try await api.synchronizer.pending().map(\.uri) == [Self.todo])
        }

        @Test("a place can be asked for by GET, and a listed origin gets the credentials too")
        func query() async throws {
            let api = try await api(
                """
                { "*": {
                      upload: {
                        ask: {
                          get: files/upload-url, query: { filename: "{file.name}", length: "{file.size}" },
                          url: upload_url, value: file_id },
                        method: POST },
                      origins: "https://uploads.example" } }
                """)
            api.transport.expect(
                "GET", "/v1/files/upload-url?filename=my%20cat.png&length=7",
                .json(#"{"upload_url": "https://uploads.example/u/1", "file_id": "F1"}"#))
            api.transport.expect("POST", "https://uploads.example/u/1", .respond(200, body: Array("OK".utf8)))
            try await api.synchronizer.attachNow(Self.png, as: "anything", to: Self.todo, sendingEdit: false)
            #expect(try await api.synchronizer.record(at: Self.todo)?["anything"] == "F1")
            #expect(signed(api).last == "POST https://uploads.example/u/1 signed")
            // A token for the API comes from the API alone.
            let received = try #require(api.synchronizer.authenticator as? Key).received
            #expect(received.count == 2 && received.allSatisfy { $0.hasPrefix("https://api.example/") }, "\(received)")
            try api.transport.check()
        }

        @Test("a content may have no name")
        func unnamed() async throws {
            let api = try await api(
                """
                { scan: { upload: { ask: {
                    post: uploads, set: { name: "{file.name}", title: "a {file.name}" }, url: url, value: id } } } }
                """)
            api.transport.expect("POST", "/v1/uploads", .json(#"{"url": "https://bucket.example/1", "id": "F1"}"#))
            api.transport.expect("PUT", "https://bucket.example/1", .respond(200))
            let content = AttachmentContent(Array("picture".utf8), fileName: "", mediaType: "image/png")
            try await api.synchronizer.attachNow(content, as: "scan", to: Self.todo, sendingEdit: false)
            #expect(api.transport.requests.dropFirst().first?.text == #"{"name":"","title":"a "}"#)
            try api.transport.check()
        }

        private static let storage = """
            { scan: { upload: { ask: { post: uploads, url: url }, value: id }, download: { url: $ } } }
            """

        @Test(
            "a place that nothing may be sent to gets nothing, and nothing changes",
            arguments: [
                #"{"url": "http://bucket.example/1"}"#, #"{"url": "file:///etc/passwd"}"#, #"{"url": ""}"#, "{}",
                #"{"url": "http://127.0.0.1:8000/1"}"#, #"{"url": "https://api.example@bucket.example/"}"#
            ])
        func places(_ answer: String) async throws {
            let api = try await api(Self.storage)
            api.transport.expect("POST", "/v1/uploads", .json(answer))
            let before = try await api.synchronizer.object(at: Self.todo)
            let error = await #expect(throws: SyncError.self) {
                try await api.synchronizer.attachNow(Self.png, as: "scan", to: Self.todo, sendingEdit: false)
            }
            #expect(error?.code == .unexpectedAnswer)
            #expect(api.transport.requests.count == 2)
            #expect(try await api.synchronizer.object(at: Self.todo) == before)
        }

        @Test("a storage that refuses is no word about who is signed in", arguments: [403, 413, 503])
        func storage(_ status: Int) async throws {
            let api = try await api(Self.storage)
            let place = "https://bucket.example/1?signature=hunter2"
            api.transport.expect("POST", "/v1/uploads", .json(#"{"url": "\#(place)"}"#))
            api.transport.expect("PUT", place, .respond(status))
            let error = await #expect(throws: SyncError.self) {
                try await api.synchronizer.attachNow(Self.png, as: "scan", to: Self.todo, sendingEdit: false)
            }
            #expect(error?.code == (status == 503 ? .unreachable : .refused))
            #expect(error?.message.contains("hunter2") == false && error?.message.contains("bucket.example/1") == true)
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        @Test("an answer to the content that holds nothing to refer to is told")
        func withoutValue() async throws {
            let api = try await api(Self.storage)
            api.transport.expect("POST", "/v1/uploads", .json(#"{"url": "https://bucket.example/1"}"#))
            api.transport.expect("PUT", "https://bucket.example/1", .respond(200))
            let error = await #expect(throws: SyncError.self) {
                try await api.synchronizer.attachNow(Self.png, as: "scan", to: Self.todo, sendingEdit: false)
            }
            #expect(error?.code == .unexpectedAnswer)
            #expect(error?.message.contains("attachments.scan.upload.value") == true)
        }

        @Test(
            "the name of the file is made of members, and nothing in them ends a folder, the name or the line",
            arguments: [
                (#""A""#, "7_A.jpg"), (#""../../etc/passwd""#, "7_.._.._etc_passwd.jpg"),
                (#""a\"; x=\"b""#, "7_a_; x=_b.jpg"), (#""a\r\nX: y""#, "7_a__X: y.jpg"),
                (#""c:\\d\u0001""#, "7_c:_d_.jpg"), (#""é""#, "7_é.jpg"), ("5", "7_5.jpg")
            ])
        func fileName(_ title: String, _ name: String) async throws {
            let api = try await Variation(
                """
                resources:
                  todos:
                    attachments:
                      scan:
                        upload:
                          path: "todos/{id}/scan/"
                          part: picture_file
                          media-type: image/jpeg
                          file-name: "{user}_{title}.jpg"
                          query: { called: "{file.name}" }
                """)
            let row = #"{"id": 1, "user": 7, "title": \#(title)}"#
            api.transport.expect("GET", "/v1/todos", .json("[\(row)]"))
            try await api.synchronizer.pull()
            try await api.synchronizer.attach(Self.png, as: "scan", to: Self.todo)
            let preview = try await api.synchronizer.pushPreview().requests
            let target = try #require(preview.first?.request.url)
            #expect(target.hasPrefix("https://api.example/v1/todos/1/scan/?called=7_"))
            api.transport.expect("GET", "/v1/todos/1", .json(row), times: 4)
            api.transport.expect("PUT", String(target.dropFirst("https://api.example".count)), .respond(204))
            #expect(try await api.synchronizer.push().uploaded == 1)
            let sent = try #require(api.transport.requests.first { $0.request.method == "PUT" })
            let head = "Content-Disposition: form-data; name=\"picture_file\"; filename=\"\(name)\"\r\n"
            #expect(sent.text.contains("\(head)Content-Type: image/jpeg\r\n\r\npicture\r\n"), "\(sent.text)")
        }

        @Test("a name that the object cannot give, or that no file system takes, is told and not sent")
        func withoutName() async throws {
            let long = String(repeating: "x", count: 256)
            for (template, reason) in [("{uuid}.jpg", "needs {uuid}"), (long, "has 256 bytes, and 255 are the most")] {
                let api = try await api(
                    #"{ scan: { upload: { path: "todos/{id}/scan", method: POST, file-name: "\#(template)" } } }"#)
                let error = await #expect(throws: SyncError.self) {
                    try await api.synchronizer.attachNow(Self.png, as: "scan", to: Self.todo)
                }
                #expect(error?.code == .invalidRecord && error?.message.contains(reason) == true)
                // What waits is refused, and says why.
                try await api.synchronizer.attach(Self.png, as: "scan", to: Self.todo)
                #expect(try await api.synchronizer.push().uploaded == 0)
                let object = try #require(try await api.synchronizer.object(at: Self.todo))
                let said = object.meta.status(of: object.meta.uploads[0])
                guard case .rejected(_, let failure) = said else {
                    Issue.record("\(said)")
                    return
                }
                #expect(failure.message.contains(reason))
                #expect(api.transport.requests.count == 1)
            }
        }

        @Test("Redmine: an upload gives a token, and the update of the issue carries it with the file's name and type")
        func redmine() async throws {
            let api = try await api(
                """
                { uploads: {
                    upload: {
                      path: uploads.json, method: POST, query: { filename: "{file.name}" },
                      media-type: application/octet-stream, value: upload.token,
                      set: [{ token: "{value}", filename: "{file.name}", content_type: "{file.type}" }] } } }
                """, more: "writeonly: [uploads]\n    update: { body: changed }")
            try await api.synchronizer.attach(Self.png, as: "uploads", to: Self.todo)
            api.transport.expect(
                "POST", "/v1/uploads.json?filename=my%20cat.png",
                .json(#"{"upload": {"id": 7, "token": "7.ed1c"}}"#, status: 201))
            let shown = #"{"id": 1, "title": "A", "scan_url": null}"#
            api.transport.expect("GET", "/v1/todos/1", .json(shown), times: 4)
            api.transport.expect("PUT", "/v1/todos/1", .respond(204))
            let report = try await api.synchronizer.push()
            #expect(report.uploaded == 1 && report.updated == 1, "\(report)")
            let post = try #require(api.transport.requests.first { $0.request.method == "POST" })
            #expect(post.request.headers["Content-Type"] == "application/octet-stream" && post.text == "picture")
            let update = try #require(api.transport.requests.first { $0.request.method == "PUT" })
            #expect(
                try Value(json: update.body) == [
                    "uploads": [["token": "7.ed1c", "filename": "my cat.png", "content_type": "image/png"]]
                ])
        }

        @Test("a download in two steps asks for the address, which may be relative or of another server")
        func twoSteps() async throws {
            let api = try await api(
                """
                { scan: {
                    download: { ask: { get: "todos/{id}/scan", query: { of: "{title}" }, url: scan_file },
                      media-type: "image/*" } } }
                """)
            let client = api.synchronizer
            let image: HeaderFields = ["Content-Type": "image/jpeg", "ETag": "\"1\""]
            func read() async throws -> String { try await text(client.content(of: "scan", at: Self.todo)) }
            let asked = "/v1/todos/1/scan?of=A"
            let addresses = [
                ("../../media/a.jpg", "https://api.example/v1/media/a.jpg", "signed"),
                ("/media/a.jpg", "https://api.example/media/a.jpg", "bare"),
                ("https://cdn.example/a.jpg?s=1", "https://cdn.example/a.jpg?s=1", "bare")
            ]
            for (address, whole, credentials) in addresses {
                api.transport.expect(
                    "GET", asked, .json(#"{"url": "https://api.example/x", "scan_file": "\#(address)"}"#))
                api.transport.expect("GET", whole, .respond(headers: image, body: Array("picture".utf8)))
                #expect(try await read() == "picture")
                #expect(
                    signed(api).suffix(2) == [
                        "GET https://api.example/v1/todos/1/scan?of=A signed", "GET \(whole) \(credentials)"
                    ])
            }
            // Neither step needs a network for what is here.
            api.transport.expect("GET", asked, .lose())
            #expect(try await read() == "picture")

            for answer in [#"{"scan_file": null}"#, #"{"scan_file": ""}"#, "{}"] {
                api.transport.expect("GET", asked, .json(answer))
                let none = await #expect(throws: SyncError.self) { try await read() }
                #expect(none?.code == .notFound)
                #expect(none?.message.hasSuffix("check attachments.scan.download.ask.url") == true)
            }
            api.transport.expect("GET", asked, .json(#"{"scan_file": "http://cdn.example/a.jpg"}"#))
            let clear = await #expect(throws: SyncError.self) { try await read() }
            #expect(clear?.code == .unexpectedAnswer)
            api.transport.expect("GET", asked, .json(#"{"detail": "no"}"#, status: 403))
            let refused = await #expect(throws: SyncError.self) { try await read() }
            #expect(refused?.code == .refused && refused?.message.contains("the content of “scan” of todos/1") == true)
            try api.transport.check()
        }

        @Test("the question of a download may be a POST, with members of the object in its body")
        func askedByPost() async throws {
            let api = try await api(
                """
                { scan: {
                    download: {
                      ask: {
                        post: batch, set: { oid: "{id}", name: "scan of {title}" }, url: "$.actions[0].href" } } } }
                """)
            api.transport.expect("POST", "/v1/batch", .json(#"{"actions": [{"href": "https://cdn.example/1"}]}"#))
            api.transport.expect("GET", "https://cdn.example/1", .respond(body: Array("picture".utf8)))
            let content = try await api.synchronizer.content(of: "scan", at: Self.todo)
            #expect(try await text(content) == "picture")
            let body = try #require(api.transport.requests.dropFirst().first?.body)
            #expect(try Value(json: body) == ["oid": 1, "name": "scan of A"])
            try api.transport.check()
        }

        @Test("the status shows a download until it is read to its end, or dropped")
        func progress() async throws {
            let api = try await api(#"{ scan: { download: { path: "todos/{id}/scan" } } }"#)
            let headers: HeaderFields = ["Content-Length": "7"]
            api.transport.expect(
                "GET", "/v1/todos/1/scan", .respond(headers: headers, body: Array("picture".utf8)), times: 2)
            let content = try await api.synchronizer.content(of: "scan", at: Self.todo)
            let activity = try #require(try await api.synchronizer.syncStatus().activities.first)
            #expect(activity.kind == .download && activity.total == 7 && activity.completed == 0)
            #expect(activity.content?.uri == Self.todo && activity.content?.member == "scan")
            #expect(try await text(content) == "picture")
            #expect(try await api.synchronizer.syncStatus().activities.isEmpty)
            _ = try await api.synchronizer.content(of: "scan", at: Self.todo)
            #expect(try await api.synchronizer.syncStatus().activities.isEmpty)
        }

        @Test("a JSON document that comes for a picture is an error, and is not stored")
        func document() async throws {
            let api = try await api(
                #"{ scan: { download: { path: "todos/{id}/scan", media-type: image/jpeg } } }"#)
            let place = "/v1/todos/1/scan"
            api.transport.expect("GET", place, .json(#"{"scan_file": "https://api.example/v1/a.jpg"}"#))
            let error = await #expect(throws: SyncError.self) {
                try await api.synchronizer.content(of: "scan", at: Self.todo)
            }
            #expect(error?.code == .unexpectedAnswer)
            #expect(error?.message.contains("“application/json” for the content of “scan” of todos/1") == true)
            #expect(error?.message.contains("attachments.scan.download: { ask: {") == true)
            api.transport.expect("GET", place, .lose())
            let lost = await #expect(throws: SyncError.self) {
                try await api.synchronizer.content(of: "scan", at: Self.todo)
            }
            #expect(lost?.code == .unreachable)
            try api.transport.check()
        }

        @Test("what was downloaded whole is there without a network, as long as the member says the same")
        func cached() async throws {
            let api = try await api(
                #"{ scan: { upload: { path: "todos/{id}/scan" }, download: { path: "todos/{id}/scan" } } }"#)
            let client = api.synchronizer
            func read() async throws -> String { try await text(client.content(of: "scan", at: Self.todo)) }
            let place = "/v1/todos/1/scan"
            // Cut off: nothing is kept of it.
            api.transport.expect("GET", place, .respond(headers: ["Content-Length": "9"], body: Array("pict".utf8)))
            #expect(try await read() == "pict")
            api.transport.expect("GET", place, .lose())
            let without = await #expect(throws: SyncError.self) { try await read() }
            #expect(without?.code == .unreachable)
            #expect(try await client.contentHere(of: "scan", at: Self.todo) == nil)

            let headers: HeaderFields = ["ETag": "\"1\"", "Content-Type": "image/png"]
            api.transport.expect("GET", place, .respond(headers: headers, body: Array("picture".utf8)))
            #expect(try await read() == "picture")
            api.transport.expect("GET", place, .lose())
            let kept = try await client.content(of: "scan", at: Self.todo)
            #expect(kept.mediaType == "image/png" && kept.length == 7)
            #expect(try await text(kept) == "picture")
            // Without a request.
            let here = try #require(try await client.contentHere(of: "scan", at: Self.todo))
            #expect(here.mediaType == "image/png" && here.length == 7)
            #expect(try await text(here) == "picture")
            api.transport.expect("GET", place, .respond(304))
            #expect(try await read() == "picture")
            #expect(api.transport.requests.last?.request.headers["If-None-Match"] == "\"1\"")
            api.transport.expect("GET", place, .respond(body: Array("newer".utf8)))
            #expect(try await read() == "newer")
            #expect(api.transport.requests.last?.request.headers["If-None-Match"] == "\"1\"")
            api.transport.expect("GET", place, .lose())
            #expect(try await read() == "newer")

            try await client.edit(Self.todo, setting: ["scan": "another"])
            api.transport.expect("GET", place, .lose())
            let other = await #expect(throws: SyncError.self) { try await read() }
            #expect(other?.code == .unreachable)
            #expect(try await client.contentHere(of: "scan", at: Self.todo) == nil)
            try api.transport.check()
        }

        @Test("a download that broke off goes on where it ended, and its bytes begin with the first one")
        func resumed() async throws {
            let api = try await api(#"{ scan: { download: { path: "todos/{id}/scan" } } }"#)
            let client = api.synchronizer
            let place = "/v1/todos/1/scan"
            let headers: HeaderFields = ["ETag": "\"1\"", "Content-Type": "image/png", "Content-Length": "7"]
            func read() async throws -> String { try await text(client.content(of: "scan", at: Self.todo)) }
            func asked(_ header: String) -> String? { api.transport.requests.last?.request.headers[header] }
            func ranges() -> [String?] { api.transport.requests.suffix(2).map { $0.request.headers["Range"] } }

            api.transport.expect("GET", place, .respond(headers: headers, body: Array("pict".utf8)))
            #expect(try await read() == "pict")
            // Without a network the beginning is no content.
            api.transport.expect("GET", place, .lose())
            await #expect(throws: SyncError.self) { try await read() }
            // It breaks off once more behind the next byte.
            api.transport.expect(
                "GET", place,
                .respond(
                    206, headers: ["ETag": "\"1\"", "Content-Range": "bytes 4-6/7", "Content-Length": "3"],
                    body: Array("u".utf8)))
            #expect(try await read() == "pictu")
            #expect(asked("Range") == "bytes=4-" && asked("If-Range") == "\"1\"")
            #expect(asked("Accept-Encoding") == "identity")
            api.transport.expect(
                "GET", place, .respond(206, headers: ["Content-Range": "bytes 5-6/7"], body: Array("re".utf8)))
            let whole = try await client.content(of: "scan", at: Self.todo)
            #expect(whole.length == 7 && whole.mediaType == "image/png" && asked("Range") == "bytes=5-")
            #expect(try await text(whole) == "picture")
            // It is kept whole now, and nothing is left of its beginning.
            api.transport.expect("GET", place, .respond(304))
            #expect(try await read() == "picture" && asked("Range") == nil)

            // Another content is there by now.
            api.transport.expect(
                "GET", place,
                .respond(headers: ["ETag": "\"2\"", "Content-Length": "6"], body: Array("new".utf8)))
            #expect(try await read() == "new")
            api.transport.expect("GET", place, .respond(headers: ["ETag": "\"3\""], body: Array("newest".utf8)))
            #expect(try await read() == "newest" && asked("If-Range") == "\"2\"")

            // What does not fit what is here, and what cannot be had in part, is fetched whole.
            let others: [ScriptedAnswer] = [
                .respond(416), .respond(206, headers: ["Content-Range": "bytes 0-6/7"], body: Array("picture".utf8)),
                .respond(206, headers: ["ETag": "\"9\"", "Content-Range": "bytes 4-6/7"], body: Array("ure".utf8)),
                .respond(206, body: Array("ure".utf8)),
                // The same tag, and a whole of another length.
                .respond(206, headers: ["Content-Range": "bytes 4-8/9"], body: Array("urely".utf8)),
                .respond(206, headers: ["Content-Range": "bytes 4-5/7"], body: Array("ur".utf8)),
                .respond(206, headers: ["Content-Range": "bytes 4-5/*"], body: Array("ur".utf8))
            ]
            // Beyond what can be counted.
            let far = ["bytes 4-9223372036854775807/*", "bytes 4-9223372036854775807/9223372036854775807"].map {
                ScriptedAnswer.respond(206, headers: ["Content-Range": $0], body: Array("ure".utf8))
            }
            for (number, answer) in (others + far).enumerated() {
                let tag = "\"a\(number)\""
                api.transport.expect(
                    "GET", place, .respond(headers: ["ETag": tag, "Content-Length": "7"], body: Array("pict".utf8)))
                #expect(try await read() == "pict")
                api.transport.expect("GET", place, answer)
                api.transport.expect("GET", place, .respond(headers: ["ETag": tag], body: Array("picture".utf8)))
                #expect(try await read() == "picture")
                #expect(ranges() == ["bytes=4-", nil])
            }
            // A weak tag says nothing of bytes (RFC 9110 §8.8.1).
            api.transport.expect(
                "GET", place, .respond(headers: ["ETag": "W/\"1\"", "Content-Length": "7"], body: Array("pict".utf8)))
            #expect(try await read() == "pict")
            api.transport.expect("GET", place, .respond(body: Array("picture".utf8)))
            #expect(try await read() == "picture" && asked("Range") == nil)
            try api.transport.check()
        }

        @Test("a part that nobody has asked for is refused, and not stored, unless it is all there is")
        func unaskedPart() async throws {
            let api = try await api(#"{ scan: { download: { path: "todos/{id}/scan" } } }"#)
            let client = api.synchronizer
            let place = "/v1/todos/1/scan"
            func read() async throws -> String { try await text(client.content(of: "scan", at: Self.todo)) }
            for range in ["bytes 0-3/7", "bytes 0-3/*", "bytes 3-6/7", "items 0-6/7", ""] {
                let headers: HeaderFields = ["ETag": "\"1\"", "Content-Range": range, "Content-Length": "4"]
                api.transport.expect("GET", place, .respond(206, headers: headers, body: Array("pict".utf8)))
                let error = await #expect(throws: SyncError.self) { try await read() }
                #expect(error?.code == .unexpectedAnswer)
                #expect(error?.message.contains("sends a part (206, Content-Range: “\(range)”)") == true, "\(range)")
            }
            // Nothing of it is here.
            api.transport.expect("GET", place, .lose())
            let lost = await #expect(throws: SyncError.self) { try await read() }
            #expect(lost?.code == .unreachable)
            #expect(api.transport.requests.last?.request.headers["Range"] == nil)
            let all: HeaderFields = ["Content-Range": "bytes 0-6/7", "Content-Length": "7"]
            api.transport.expect("GET", place, .respond(206, headers: all, body: Array("picture".utf8)))
            #expect(try await read() == "picture")
            try api.transport.check()
        }

        @Test("a 202 is no content: it is asked for again later, and nothing else is given for it")
        func accepted() async throws {
            let api = try await api(#"{ scan: { download: { path: "todos/{id}/scan" } } }"#)
            let place = "/v1/todos/1/scan"
            func read() async throws -> String {
                try await text(api.synchronizer.content(of: "scan", at: Self.todo))
            }
            api.transport.expect("GET", place, .respond(body: Array("picture".utf8)))
            #expect(try await read() == "picture")
            for body in ["", #"{"status":"preparing"}"#] {
                api.transport.expect(
                    "GET", place, .respond(202, headers: ["Retry-After": "5"], body: Array(body.utf8)))
                let error = await #expect(throws: SyncError.self) { try await read() }
                #expect(error?.code == .unreachable && error?.message.contains("does not have it yet (202)") == true)
            }
            api.transport.expect("GET", place, .respond(body: Array("another".utf8)))
            #expect(try await read() == "another")
            try api.transport.check()
        }

        @Test("content is asked for without a coding, and a coded one is refused: nobody could tell where it is cut")
        func coded() async throws {
            let api = try await api(#"{ scan: { download: { path: "todos/{id}/scan" } } }"#)
            let place = "/v1/todos/1/scan"
            for coding in ["gzip", "gzip, gzip", "br"] {
                api.transport.expect(
                    "GET", place,
                    .respond(headers: ["ETag": "\"1\"", "Content-Encoding": coding], body: [0x1F, 0x8B, 8]))
                let error = await #expect(throws: SyncError.self) {
                    try await api.synchronizer.content(of: "scan", at: Self.todo)
                }
                #expect(error?.code == .unexpectedAnswer && error?.message.contains("“\(coding)”") == true)
                #expect(api.transport.requests.last?.request.headers.values(of: "Accept-Encoding") == ["identity"])
            }
            api.transport.expect(
                "GET", place, .respond(headers: ["Content-Encoding": "identity"], body: Array("picture".utf8)))
            let content = try await api.synchronizer.content(of: "scan", at: Self.todo)
            #expect(try await text(content) == "picture")
            try api.transport.check()
        }

        @Test("redirects without end, and those to places that nothing is fetched from, end with an error")
        func redirects() async throws {
            let api = try await api(Self.storage)
            try await api.synchronizer.edit(Self.todo, setting: [("scan", "https://cdn.example/0")])
            for number in 0...10 {
                api.transport.expect(
                    "GET", "https://cdn.example/\(number)",
                    .respond(307, headers: ["Location": "/\(number + 1)"]))
            }
            let endless = await #expect(throws: SyncError.self) {
                _ = try await api.synchronizer.content(of: "scan", at: Self.todo)
            }
            #expect(endless?.message.contains("more than 10 redirects") == true)
            api.transport.expect(
                "GET", "https://cdn.example/0", .respond(301, headers: ["Location": "http://cdn.example/0"]))
            let clear = await #expect(throws: SyncError.self) {
                _ = try await api.synchronizer.content(of: "scan", at: Self.todo)
            }
            #expect(clear?.code == .unexpectedAnswer)
            #expect(api.transport.requests.allSatisfy { $0.request.url.hasPrefix("https://") })
        }

        @Test("what is not declared, not there or not on the server yet is told before anything is sent")
        func mistakes() async throws {
            let api = try await api(
                #"{ scan: { upload: { path: "todos/{id}/scan" } }, photo: { download: { url: $.url } } }"#)
            func code(_ body: () async throws -> Void) async -> SyncError.Code? {
                do { try await body() } catch let error as SyncError { return error.code } catch {}
                return nil
            }
            let client = api.synchronizer
            #expect(
                await code { try await client.attachNow(Self.png, as: "skan", to: Self.todo, sendingEdit: false) }
                    == .unknownName)
            #expect(
                await code { try await client.attachNow(Self.png, as: "photo", to: Self.todo, sendingEdit: false) }
                    == .unknownName)
            #expect(await code { _ = try await client.content(of: "scan", at: Self.todo) } == .unknownName)
            #expect(await code { _ = try await client.content(of: "photo", at: Self.todo) } == .notFound)
            let new = try await client.save(["title": "B"], as: "todos")
            #expect(
                await code { try await client.attachNow(Self.png, as: "scan", to: new, sendingEdit: false) }
                    == .wrongState)
            try await client.delete(Self.todo)
            #expect(
                await code { try await client.attachNow(Self.png, as: "scan", to: Self.todo, sendingEdit: false) }
                    == .wrongState)
            #expect(api.transport.requests.count == 1)
        }
    }
#endif
