import Atmosphere
import AtmosphereRouting
import AtmosphereSource
import Testing

@Suite("Contents of attachments in a source")
struct SourceContentTests {
    private let picture = "\u{1}\r\n--picture\r\n\u{2}"

    private func server(_ attachment: AtmosphereRouting.Attachment) throws -> SampleServer {
        SampleServer(
            try SampleAPI.plain(update: "PATCH") { notes in
                notes.attachments = [attachment]
                notes.errors.fields = [JSONPath([])]
            }, seed: 2)
    }

    private func form(_ name: String, fileName: String = "a b.jpg") -> (body: String, headers: HeaderFields) {
        let body =
            "--b1\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"\(fileName)\"\r\n"
            + "Content-Type: image/jpeg\r\n\r\n\(picture)\r\n--b1--\r\n"
        return (body, ["Content-Type": "multipart/form-data; boundary=b1"])
    }

    /// As the picture pool has it: a part of a form, and a JSON document that names the file.
    private func pool() throws -> AtmosphereRouting.Attachment {
        var attachment = AtmosphereRouting.Attachment(name: "picture")
        attachment.upload = .init()
        attachment.upload?.path = try PathTemplate("/notes/{id}/picture/")
        attachment.upload?.part = "picture_file"
        attachment.download = .init(
            .ask(.init(method: "GET", path: try PathTemplate("/notes/{id}/picture/"), url: .member("picture_file"))))
        return attachment
    }

    @Test("a part of a form is the content; a JSON document names the file, and the member shows it")
    func twoSteps() throws {
        var server = try server(pool())
        #expect(server.send("GET", "/notes/1/picture/").body == ["id": 1, "picture_file": .null])
        let (body, headers) = form("picture_file")
        let answer = server.send("PUT", "/notes/1/picture/", body, headers: headers)
        #expect(answer.status == 200 && answer["id"] == 1 && answer["picture"] == "/.contents/1/a%20b.jpg")
        let named = server.send("GET", "/notes/1/picture/")
        #expect(named.body == ["id": 1, "picture_file": "/.contents/1/a%20b.jpg"])
        let content = server.send("GET", "/.contents/1/a%20b.jpg")
        #expect(content.status == 200 && content.headers["Content-Type"] == "image/jpeg")
        #expect(content.body == .string(picture))
        let tag = try #require(content.headers["ETag"])
        #expect(server.send("GET", "/.contents/1", headers: ["If-None-Match": tag]).status == 304)
        // Another one takes its place.
        _ = server.send("PUT", "/notes/1/picture/", body, headers: headers)
        #expect(server.send("GET", "/notes/1/picture/")["picture_file"] == "/.contents/2/a%20b.jpg")
        // An edit of the member ends what it stands for.
        _ = server.send("PATCH", "/notes/1", #"{"picture":null}"#)
        #expect(server.send("GET", "/notes/1/picture/")["picture_file"] == .null)
        #expect(server.send("GET", "/notes/9/picture/").status == 404)
    }

    @Test("a file that is called like a step up is shown under another name", arguments: [".", ".."])
    func dots(_ name: String) throws {
        var server = try server(pool())
        let (body, headers) = form("picture_file", fileName: name)
        #expect(server.send("PUT", "/notes/1/picture/", body, headers: headers)["picture"] == "/.contents/1/_")
        #expect(server.send("GET", "/.contents/1/_").status == 200)
    }

    @Test("a form that is none, or lacks the part, is refused")
    func wrongForms() throws {
        var server = try server(pool())
        let (body, headers) = form("other")
        let missing = server.send("PUT", "/notes/1/picture/", body, headers: headers)
        #expect(missing.status == 400 && missing.body == ["picture_file": ["No file was submitted."]])
        #expect(server.send("PUT", "/notes/1/picture/", "x", headers: ["Content-Type": "image/jpeg"]).status == 415)
        #expect(server.send("PUT", "/notes/1/picture/", "x").status == 415)
        for cut in ["", "--b1", "--b1\r\n", String(body.dropLast(8)), "--b2--"] {
            #expect(server.send("PUT", "/notes/1/picture/", cut, headers: headers).status == 400, "\(cut)")
        }
        #expect(server.send("PUT", "/notes/1/picture/", "--b1--", headers: headers).status == 400)
        #expect(server.send("GET", "/notes/1")["picture"] == nil)
    }

    @Test("a place that was asked for takes the content, and an update that carries its token shows it")
    func asked() throws {
        var attachment = AtmosphereRouting.Attachment(name: "scan")
        attachment.upload = .init()
        attachment.upload?.ask = .init(
            method: "POST", path: try PathTemplate("/uploads"), url: try JSONPath("$.direct.url"))
        attachment.upload?.ask?.headers = try JSONPath("$.direct.headers")
        attachment.upload?.ask?.value = .member("token")
        attachment.download = .init(.url(.member("href")))
        attachment.identity = .member("key")
        var server = try server(attachment)
        let place = server.send("POST", "/uploads", "{}")
        #expect(place.body == ["direct": ["url": "/.contents/1", "headers": [:]], "token": "content-1"])
        #expect(server.send("GET", "/.contents/1").status == 404)
        // Nothing refers to what is not there yet.
        #expect(server.send("PATCH", "/notes/1", #"{"scan":"content-1"}"#)["scan"] == "content-1")
        let sent = server.send("PUT", "/.contents/1", picture, headers: ["Content-Type": "image/png"])
        #expect(sent.status == 204)
        let shown = server.send("PATCH", "/notes/1", #"{"scan":"content-1"}"#)
        #expect(shown["scan"] == ["href": "/.contents/1", "key": "content-1"])
        let created = server.send("POST", "/notes", #"{"title":"New","scan":[{"token":"content-1"}]}"#)
        #expect(created["scan"] == ["href": "/.contents/1", "key": "content-1"])
        // Other members are texts.
        #expect(server.send("PATCH", "/notes/1", #"{"title":"content-1"}"#)["title"] == "content-1")
        #expect(server.send("PATCH", "/.contents/1", "x").status == 405)
        #expect(server.send("PUT", "/.contents/9", "x").status == 404)
        #expect(server.send("GET", "/.contents/x").status == 404)
    }

    @Test("a resumable upload is begun, asked about and sent in parts; a member that is set to its URL has the content")
    func resumable() throws {
        var attachment = AtmosphereRouting.Attachment(name: "scan")
        attachment.upload = .init()
        attachment.upload?.path = try PathTemplate("/files")
        attachment.upload?.resumable = .tus
        attachment.upload?.set = "{url}"
        attachment.download = .init(.url(JSONPath([])))
        var server = try server(attachment)
        let tus: HeaderFields = ["Tus-Resumable": "1.0.0"]
        func send(_ method: String, _ path: String, _ body: String = "", _ more: HeaderFields = [:]) -> SampleAnswer {
            var headers = tus
            for header in more.fields { headers.append(header.name, header.value) }
            return server.send(method, path, body, headers: headers)
        }
        func part(_ body: String, at offset: Int) -> SampleAnswer {
            send(
                "PATCH", "/.contents/1", body,
                ["Content-Type": "application/offset+octet-stream", "Upload-Offset": String(offset)])
        }
        #expect(server.send("POST", "/files", headers: ["Upload-Length": "10"]).status == 412)
        #expect(send("POST", "/files").status == 400)
        #expect(send("POST", "/files", "", ["Upload-Length": "99999999999"]).status == 413)
        let metadata = "filename bXkgY2F0LnBuZw==,filetype aW1hZ2UvcG5n,odd,bad *"
        let begun = send("POST", "/files", "", ["Upload-Length": "10", "Upload-Metadata": metadata])
        #expect(begun.status == 201 && begun.headers["Location"] == "/.contents/1")
        #expect(send("HEAD", "/.contents/1").headers["Upload-Offset"] == "0")
        #expect(server.send("GET", "/.contents/1").status == 404)
        #expect(part("01234", at: 0).headers["Upload-Offset"] == "5")
        #expect(part("01234", at: 0).status == 409 && part("567890", at: 5).status == 409)
        #expect(send("PATCH", "/.contents/1", "5", ["Upload-Offset": "5"]).status == 415)
        // Nothing refers to what is not whole.
        let url = "http://127.0.0.1:1/.contents/1"
        #expect(server.send("PATCH", "/notes/1", #"{"scan":"\#(url)"}"#)["scan"] == .string(url))
        #expect(part("abcde", at: 5).status == 204)
        let head = send("HEAD", "/.contents/1")
        #expect(head.headers["Upload-Offset"] == "10" && head.headers["Upload-Length"] == "10")
        let shown = server.send("PATCH", "/notes/1", #"{"scan":"\#(url)"}"#)
        #expect(shown["scan"] == "/.contents/1/my%20cat.png")
        let content = server.send("GET", "/.contents/1/my%20cat.png")
        #expect(content.headers["Content-Type"] == "image/png" && content.body == "01234abcde")
        let empty = send("POST", "/files", "", ["Upload-Length": "0"])
        #expect(empty.headers["Location"] == "/.contents/2" && server.send("GET", "/.contents/2").status == 200)
    }

    @Test("where anybody may read, anybody is given contents, and only who shows the proof uploads them")
    func open() throws {
        var attachment = AtmosphereRouting.Attachment(name: "scan")
        attachment.upload = .init()
        attachment.upload?.path = try PathTemplate("/notes/{id}/scan")
        attachment.download = .init(.path(try PathTemplate("/notes/{id}/scan")))
        let scan = attachment
        var api = try SampleAPI.plain(update: "PATCH") { $0.attachments = [scan] }
        api.auth = .bearer(SecretName("S"))
        api.signed = .writes
        var server = SampleServer(api, seed: 1) { $0.secrets = ["S": "s"] }
        #expect(server.send("PUT", "/notes/1/scan", picture).status == 401)
        #expect(server.send("PUT", "/notes/1/scan", picture, headers: ["Authorization": "Bearer s"]).status == 200)
        for path in ["/notes/1/scan", "/.contents/1"] {
            #expect(server.send("GET", path).status == 200, "\(path)")
            #expect(server.send("GET", path, headers: ["Authorization": "Bearer t"]).status == 401, "\(path)")
        }
    }

    @Test("a path gives the content whole or from a byte on, and a token comes from one request")
    func raw() throws {
        var attachment = AtmosphereRouting.Attachment(name: "scan")
        attachment.upload = .init()
        attachment.upload?.path = try PathTemplate("/uploads")
        attachment.upload?.method = "POST"
        attachment.upload?.value = try JSONPath("$.upload.token")
        attachment.download = .init(.path(try PathTemplate("/notes/{id}/scan")))
        var server = try server(attachment)
        let sent = server.send("POST", "/uploads", "0123456789", headers: ["Content-Type": "text/plain"])
        #expect(sent.status == 201 && sent.body == ["upload": ["token": "content-1"]])
        #expect(server.send("GET", "/notes/1/scan").status == 404)
        _ = server.send("PATCH", "/notes/1", #"{"scan":"content-1"}"#)
        let whole = server.send("GET", "/notes/1/scan")
        #expect(whole.status == 200 && whole.headers["Accept-Ranges"] == "bytes")
        let tag = try #require(whole.headers["ETag"])
        func part(_ range: String, _ tag: String) -> SampleAnswer {
            server.send("GET", "/notes/1/scan", headers: ["Range": range, "If-Range": tag])
        }
        let rest = part("bytes=4-", tag)
        #expect(rest.status == 206 && rest.headers["Content-Range"] == "bytes 4-9/10")
        #expect(rest.body == 456_789)
        #expect(part("bytes=0-99", tag).headers["Content-Range"] == "bytes 0-9/10")
        #expect(part("bytes=10-", tag).status == 416 && part("bytes=10-", tag).headers["Content-Range"] == "bytes */10")
        for (range, tag) in [
            ("bytes=4-", "\"other\""), ("bytes=-4", tag), ("bytes=5-4", tag), ("bytes=1-2,3-4", tag), ("lines=1-", tag),
            ("bytes=99999999999999999999-", tag)
        ] { #expect(part(range, tag).status == 200, "\(range)") }
        #expect(server.send("DELETE", "/notes/1").status == 204)
        #expect(server.send("GET", "/notes/1/scan").status == 404)
    }
}
