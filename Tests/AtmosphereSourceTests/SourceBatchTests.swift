#if YAML
    import Atmosphere
    import AtmosphereSource
    import AtmospherePlain
    import AtmosphereYAML
    import Testing

    @Suite("Batches of the source") struct SourceBatchTests {
        private func server(_ routes: String) throws -> SampleServer {
            let text = "atmosphere: 1\nbase: http://127.0.0.1/v1\nresources:\n  tasks:\n" + routes
            let file = try RouteFile.load(bytes: Array(text.utf8), source: "tasks.yaml", adapters: [.yaml, .plain])
            return SampleServer(try SourceAPI(file))
        }

        @Test("each write has its own result, and one that is refused keeps back no other")
        func plain() throws {
            var server = try server(
                """
                    types: { rank: integer }
                    batch:
                      post: tasks/batch
                      size: 3
                      items: items
                      create: { set: { op: create }, body: task }
                      update: { set: { op: update }, body: task, id: id }
                      delete: { set: { op: delete }, id: id }
                      results: { path: results, status: status, body: body }

                """)
            let answer = server.send(
                "POST", "/v1/tasks/batch",
                #"{"items":[{"op":"create","task":{"title":"a"}},{"op":"create","task":{"title":"b","rank":"x"}},"#
                    + #"{"op":"update","id":9,"task":{}}]}"#)
            #expect(answer.status == 200)
            #expect(answer.values("$.results[*].status") == [201, 400, 404])
            #expect(answer["$.results[0].body.title"] == "a")
            #expect(answer["$.results[1].body.errors.rank[0]"] == "A valid integer is required.")
            let change = server.send(
                "POST", "/v1/tasks/batch",
                #"{"items":[{"op":"update","id":1,"task":{"title":"new"}},{"op":"delete","id":1},{"op":"delete","id":1}]}"#
            )
            #expect(change.values("$.results[*].status") == [200, 204, 404])
            #expect(change["$.results[0].body.title"] == "new")
            let items = Array(repeating: #"{"op":"create","task":{}}"#, count: 4).joined(separator: ",")
            #expect(server.send("POST", "/v1/tasks/batch", #"{"items":[\#(items)]}"#).status == 413)
            #expect(server.send("POST", "/v1/tasks/batch", "{}").status == 400)
            #expect(server.send("POST", "/v1/tasks/batch", "[").status == 400)
            #expect(server.send("GET", "/v1/tasks").body == [])
        }

        @Test("where anybody may read, anybody may ask for several, and only who shows the proof writes them")
        func open() throws {
            let text = """
                atmosphere: 1
                base: http://127.0.0.1/v1
                auth: { bearer: "secret:S", for: writes }
                resources:
                  tasks:
                    batch:
                      post: tasks/batch
                      items: items
                      update: { set: { op: update }, body: task, id: id }
                      read: { set: { op: read }, id: id }
                      results: { path: results, status: status, body: body }

                """
            let file = try RouteFile.load(bytes: Array(text.utf8), source: "tasks.yaml", adapters: [.yaml, .plain])
            var server = SampleServer(try SourceAPI(file), seed: 2) { $0.secrets = ["S": "s"] }
            func status(_ items: String, _ headers: HeaderFields = [:]) -> Int {
                server.send("POST", "/v1/tasks/batch", #"{"items":[\#(items)]}"#, headers: headers).status
            }
            let (read, write) = (#"{"op":"read","id":1}"#, #"{"op":"update","id":1,"task":{"title":"b"}}"#)
            #expect(status(read) == 200)
            #expect(status(read, ["Authorization": "Bearer t"]) == 401)
            for items in [write, "\(read),\(write)", ""] { #expect(status(items) == 401, "\(items)") }
            #expect(status("\(read),\(write)", ["Authorization": "Bearer s"]) == 200)
        }

        @Test("members that are written elsewhere are found in the items of a batch as in single writes")
        func mapped() throws {
            var server = try server(
                """
                    fields:
                      owner: { read: people.owner.name, write: owner_name }
                    batch:
                      post: tasks/batch
                      create: { body: task }
                      results: { status: status, body: body }

                """)
            let made = server.send("POST", "/v1/tasks/batch", #"[{"task":{"title":"a","owner_name":"Ann"}}]"#)
            #expect(made.values("$[*].status") == [201])
            #expect(made["$[0].body.people.owner.name"] == "Ann")
            #expect(made["$[0].body.owner_name"] == nil)
            #expect(server.send("GET", "/v1/tasks")["$[0].people.owner.name"] == "Ann")
        }

        @Test("of several places each has the results of its status, and that of conflicts the object as it is")
        func places() throws {
            var server = try server(
                """
                    id: { field: guid, assigned: client }
                    version: { field: rev, send: body }
                    batch:
                      post: sync
                      items: modified
                      create: { set: { op: add }, id: task.guid, body: task }
                      update: { set: { op: edit }, id: task.guid, body: task }
                      results:
                        - { path: modified }
                        - { path: conflicted, status: 409, body: theirs, error: why }
                        - { path: gone, status: 404, match: { sent: task.guid, found: guid } }

                """)
            func sync(_ items: String...) -> SampleAnswer {
                server.send("POST", "/v1/sync", #"{"modified":[\#(items.joined(separator: ","))]}"#)
            }
            let made = sync(#"{"op":"add","task":{"guid":"A","title":"a"}}"#)
            #expect(made["$.modified[0].guid"] == "A")
            #expect(made["$.conflicted"] == [] && made["$.gone"] == [])
            let rev = String(decoding: try #require(made["$.modified[0].rev"]).json(), as: UTF8.self)
            let answer = sync(
                #"{"op":"edit","task":{"guid":"A","title":"b","rev":\#(rev)}}"#,
                #"{"op":"edit","task":{"guid":"A","title":"c","rev":\#(rev)}}"#,
                #"{"op":"edit","task":{"guid":"Z","title":"d"}}"#)
            #expect(answer.values("$.modified[*].title") == ["b"])
            #expect(answer.values("$.conflicted[*].theirs.title") == ["b"])
            #expect(answer.values("$.conflicted[*].theirs.guid") == ["A"])
            #expect(answer["$.conflicted[0].why"] != nil)
            #expect(answer.values("$.gone[*].guid") == ["Z"])
        }

        @Test("results are known by the identifier, versions are compared, and words say what went wrong")
        func cloudKit() throws {
            var server = try server(
                """
                    id: { field: recordName, assigned: client }
                    version: { field: tag, send: if-match }
                    readonly: [tag]
                    errors: { messages: [reason] }
                    batch:
                      post: records/modify
                      items: operations
                      create: { set: { operationType: create, record: { recordType: Task } }, id: record.recordName, body: record }
                      update: { set: { operationType: update }, id: record.recordName, version: record.tag, body: record }
                      delete: { set: { operationType: delete }, id: record.recordName, version: record.tag }
                      results:
                        path: records
                        match: { sent: record.recordName, found: recordName }
                        status: serverErrorCode
                        codes: { CONFLICT: 412, NOT_FOUND: 404 }

                """)
            func modify(_ type: String, _ record: String) -> SampleAnswer {
                server.send(
                    "POST", "/v1/records/modify", #"{"operations":[{"operationType":"\#(type)","record":\#(record)}]}"#)
            }
            let made = modify("create", #"{"recordType":"Task","recordName":"A","title":"a"}"#)
            #expect(made["$.records[0].recordName"] == "A")
            #expect(made["$.records[0].title"] == "a")
            #expect(made["$.records[0].recordType"] == nil)
            #expect(made["$.records[0].serverErrorCode"] == nil)
            let tag = try #require(made["$.records[0].tag"]).json()
            let changed = modify(
                "update", #"{"recordName":"A","tag":\#(String(decoding: tag, as: UTF8.self)),"title":"b"}"#)
            #expect(changed["$.records[0].title"] == "b")
            let stale = modify("update", #"{"recordName":"A","tag":"\"0\"","title":"c"}"#)
            #expect(
                stale["$.records[0]"] == [
                    "reason": "Precondition failed.", "serverErrorCode": "CONFLICT", "recordName": "A"
                ])
            #expect(modify("delete", #"{"recordName":"Z"}"#)["$.records[0].serverErrorCode"] == "NOT_FOUND")
            #expect(modify("create", #"{"recordType":"Task","recordName":"A"}"#)["$.records[0].serverErrorCode"] != nil)
        }
    }
#endif
