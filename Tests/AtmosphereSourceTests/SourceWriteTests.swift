import Atmosphere
import AtmosphereSource
import Testing

@Suite("The source's writes")
struct SourceWriteTests {
    @Test("create, read, update, delete: the server sets id and times, and nobody else does")
    func lifeCycle() throws {
        var server = SampleServer(try SampleAPI.django())
        let created = server.send("POST", "/api/albums/", #"{"id":99,"title":"A","created":"never","extra":[1]}"#)
        #expect(created.status == 201)
        #expect(created["id"] == 1)
        #expect(created["extra"] == [1])
        #expect(created["created"] == "2024-06-01T12:00:01.000000Z")
        #expect(created["last_modified"] == created["created"])
        #expect(created.headers["Content-Type"] == "application/json")
        #expect(created.headers["Date"] == "Sat, 01 Jun 2024 12:00:01 GMT")

        let patched = server.send("PATCH", "/api/albums/1/", #"{"title":"B","last_modified":"never"}"#)
        #expect(patched.status == 200)
        #expect(patched["title"] == "B")
        #expect(patched["extra"] == [1])
        #expect(patched["created"] == created["created"])
        #expect(patched["last_modified"] == "2024-06-01T12:00:02.000000Z")
        #expect(server.send("GET", "/api/albums/1/").body == patched.body)

        let deleted = server.send("DELETE", "/api/albums/1/")
        #expect(deleted.status == 204)
        #expect(deleted.body == "")
        for method in ["GET", "PATCH", "DELETE"] {
            let answer = server.send(method, "/api/albums/1/", "{}")
            #expect(answer.status == 404)
            #expect(answer.body == ["detail": "Not found."])
        }
        #expect(server.send("POST", "/api/albums/", #"{"title":"C"}"#)["id"] == 2)
    }

    @Test("PUT replaces, but for what the server sets")
    func put() throws {
        var server = SampleServer(try SampleAPI.plain { $0.conflict.time = "changed" })
        _ = server.send("POST", "/notes", #"{"title":"A","text":"x"}"#)
        let replaced = server.send("PUT", "/notes/1", #"{"title":"B"}"#)
        #expect(replaced.body == ["id": 1, "title": "B", "changed": "2024-06-01T12:00:02.000000Z"])
    }

    @Test("the answer for a deleted object can be 410")
    func gone() throws {
        var server = SampleServer(try SampleAPI.plain()) { $0.deletedStatus = 410 }
        _ = server.send("POST", "/notes", "{}")
        _ = server.send("DELETE", "/notes/1")
        #expect(server.send("GET", "/notes/1").status == 410)
        #expect(server.send("GET", "/notes/2").status == 404)
    }

    @Test(
        "a body that cannot be taken is refused",
        arguments: [
            ("{", 400, "detail"), ("[]", 400, "detail"), ("", 400, "detail"), (#"{"title":" "}"#, 400, "title"),
            (#"{"title":null}"#, 400, "title"), (#"{"title":"\#(String(repeating: "x", count: 2000))"}"#, 413, "detail")
        ])
    func badBodies(body: String, status: Int, member: String) throws {
        var server = SampleServer(try SampleAPI.django()) { $0.maximumBodyBytes = 1000 }
        for request in [("POST", "/api/albums/"), ("PATCH", "/api/albums/1/")] {
            if request.0 == "PATCH" { _ = server.send("POST", "/api/albums/", #"{"title":"A"}"#) }
            let answer = server.send(request.0, request.1, body)
            #expect(answer.status == status)
            #expect(answer.body.members?.names == [member])
        }
    }

    @Test("errors have the shape that the route file declares")
    func errorShapes() throws {
        var django = SampleServer(try SampleAPI.django())
        #expect(
            django.send("POST", "/api/albums/", #"{"title":""}"#).body == ["title": ["This field may not be blank."]])
        var google = SampleServer(try SampleAPI.tasks(), seed: 1)
        #expect(google.send("GET", "/tasks/v1/lists/1/tasks/9").body == ["error": ["message": "Not found."]])
        var plain = SampleServer(try SampleAPI.plain())
        #expect(plain.send("POST", "/notes", #"{"title":""}"#)["errors.title[0]"] == "This field may not be blank.")
        #expect(plain.send("GET", "/notes/1").body == ["error": "Not found."])
    }

    @Test("a second object with the same lookup field is a duplicate, on create and on update")
    func duplicates() throws {
        var server = SampleServer(try SampleAPI.django())
        #expect(server.send("POST", "/api/albums/", #"{"title":"A","uuid":"u1"}"#).status == 201)
        let again = server.send("POST", "/api/albums/", #"{"title":"A","uuid":"u1"}"#)
        #expect(again.status == 400)
        #expect(again.body == ["uuid": ["albums with this uuid already exists."]])
        #expect(server.send("POST", "/api/albums/", #"{"title":"B","uuid":"u2"}"#)["id"] == 2)
        #expect(server.send("PATCH", "/api/albums/2/", #"{"uuid":"u1"}"#).status == 400)
        #expect(server.send("PATCH", "/api/albums/2/", #"{"uuid":"u2"}"#).status == 200)
        #expect(server.send("GET", "/api/albums/?uuid=u1").values("$.results[*].id") == [1])
        _ = server.send("DELETE", "/api/albums/1/")
        #expect(server.send("PATCH", "/api/albums/2/", #"{"uuid":"u1"}"#).status == 200)
    }

    @Test("an idempotency key makes one object of two creates")
    func idempotency() throws {
        var server = SampleServer(try SampleAPI.plain { $0.create.idempotencyHeader = "Idempotency-Key" })
        let first = server.send("POST", "/notes", #"{"title":"A"}"#, headers: ["idempotency-key": "k"])
        let second = server.send("POST", "/notes", #"{"title":"A"}"#, headers: ["Idempotency-Key": "k"])
        #expect(first.status == 201 && second.status == 201)
        #expect(first.body == second.body)
        #expect(server.send("GET", "/notes").body.array?.count == 1)
    }

    @Test("with client ids, PUT to the object's path creates it, and the same id again replaces it")
    func clientIDs() throws {
        var server = SampleServer(
            try SampleAPI.plain {
                $0.assigned = .client
                $0.create = $0.update
            })
        #expect(server.send("PUT", "/notes/a-1", #"{"title":"A"}"#).status == 201)
        let again = server.send("PUT", "/notes/a-1", #"{"title":"B"}"#)
        #expect(again.status == 200)
        #expect(server.send("GET", "/notes").body == [["id": "a-1", "title": "B"]])
    }

    @Test("with client ids, a repeated POST is a duplicate")
    func clientIDsByPost() throws {
        var server = SampleServer(
            try SampleAPI.plain {
                $0.assigned = .client
                $0.duplicate = Duplicate(statuses: [409])
            })
        #expect(server.send("POST", "/notes", #"{"id":"a","title":"A"}"#)["id"] == "a")
        #expect(server.send("POST", "/notes", #"{"id":"a","title":"A"}"#).status == 409)
        #expect(server.send("POST", "/notes", #"{"title":"A"}"#).status == 400)
    }

    @Test("an update with another If-Match is refused by 412, and the entity tag changes with each update")
    func ifMatch() throws {
        var server = SampleServer(try SampleAPI.tasks(), seed: 1)
        let first = server.send("GET", "/tasks/v1/lists/1/tasks/1")["etag"]?.string ?? ""
        let path = "/tasks/v1/lists/1/tasks/1"
        let updated = server.send("PATCH", path, #"{"title":"B","etag":"mine"}"#, headers: ["If-Match": first])
        #expect(updated.status == 200)
        #expect(updated["etag"]?.string != first)
        #expect(server.send("PATCH", path, #"{"title":"C"}"#, headers: ["If-Match": first]).status == 412)
        #expect(server.send("DELETE", path, headers: ["If-Match": first]).status == 412)
        #expect(server.send("GET", path)["title"] == "B")
        let current = updated["etag"]?.string ?? ""
        #expect(server.send("DELETE", path, headers: ["If-Match": "\"x\", \(current)"]).status == 204)
    }

    @Test("a version in a header is the entity tag of single objects")
    func headerVersion() throws {
        var server = SampleServer(try SampleAPI.plain { $0.version = .ifMatch(.header("ETag"), ordered: false) })
        #expect(server.send("POST", "/notes", "{}").headers["ETag"] == "\"1\"")
        #expect(server.send("PUT", "/notes/1", "{}", headers: ["If-Match": "\"1\""]).headers["ETag"] == "\"2\"")
        #expect(server.send("PUT", "/notes/1", "{}", headers: ["If-Match": "\"1\""]).status == 412)
        #expect(server.send("PUT", "/notes/1", "{}", headers: ["If-Match": "*"]).status == 200)
    }

    @Test("a stale version in the body is a conflict")
    func bodyVersion() throws {
        var server = SampleServer(
            try SampleAPI.plain(update: "PATCH") { $0.version = .token(.field(.member("lock")), ordered: true) })
        #expect(server.send("POST", "/notes", "{}")["lock"] == 1)
        #expect(server.send("PATCH", "/notes/1", #"{"lock":1,"title":"A"}"#)["lock"] == 2)
        #expect(server.send("PATCH", "/notes/1", #"{"lock":1,"title":"B"}"#).status == 409)
        #expect(server.send("PATCH", "/notes/1", #"{"title":"C"}"#).status == 200)
    }

    @Test("roots are stripped from what is written, and wrapped around what is read")
    func roots() throws {
        var server = SampleServer(
            try SampleAPI.plain(update: "PATCH") {
                $0.readRoot = "note"
                $0.writeRoot = "note"
            })
        #expect(server.send("POST", "/notes", #"{"note":{"title":"A"}}"#).body == ["note": ["id": 1, "title": "A"]])
        #expect(server.send("GET", "/notes").body == [["note": ["id": 1, "title": "A"]]])
    }
}
