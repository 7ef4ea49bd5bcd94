#if YAML
    import Atmosphere
    import AtmosphereTesting
    import Testing

    /// The forms of batches that the guide shows, against the answers of such APIs.
    @Suite("Variations of batches") struct BatchVariationTests {
        private static let plain = """
            resources:
              tasks:
                batch:
                  post: tasks/batch
                  items: items
                  create: {}
                  results: { path: results, status: status, body: body }
            """

        private static let cloudKit = """
            id: { field: recordName, assigned: client }
            version: { field: recordChangeTag, send: if-match }
            fields: { title: { read: fields.title.value, write: fields.title.value } }
            readonly: [recordType, recordChangeTag, created, modified]
            errors: { messages: [reason], fields: [none] }
            items: records
            read: null
            resources:
              tasks:
                batch:
                  post: records/modify
                  size: 200
                  items: operations
                  create: { set: { operationType: create, record: { recordType: Task } }, id: record.recordName, body: record }
                  update:
                    set: { operationType: update, record: { recordType: Task } }
                    id: record.recordName
                    version: record.recordChangeTag
                    body: record
                  delete: { set: { operationType: delete }, id: record.recordName, version: record.recordChangeTag }
                  results:
                    path: records
                    match: { sent: record.recordName, found: recordName }
                    status: serverErrorCode
                    codes: { CONFLICT: 409, NOT_FOUND: 404, THROTTLED: 429 }
            """

        private static let atomic = """
            id: id
            items: data
            fields: { title: { read: attributes.title, write: attributes.title } }
            readonly: [type]
            errors: { fields: errors, field: source.pointer, message: detail }
            version: none
            resources:
              tasks:
                batch:
                  post: operations
                  items: "['atomic:operations']"
                  create: { set: { op: add, data: { type: tasks } }, body: data }
                  update: { set: { op: update, data: { type: tasks } }, body: data, id: data.id }
                  delete: { set: { op: remove, ref: { type: tasks } }, id: ref.id }
                  results: { path: "['atomic:results']", body: data }
            """

        @Test("a list of objects in, a list of statuses and bodies out")
        func plain() async throws {
            let api = try await Variation(Self.plain)
            for title in ["a", "b"] { try await api.synchronizer.save(["title": .string(title)], as: "tasks") }
            api.transport.expect(
                "POST", "/v1/tasks/batch",
                .json(
                    #"{"results":[{"status":201,"body":{"id":7,"title":"a"}},{"status":"422 No","body":{"title":["no"]}}]}"#
                ))
            let report = try await api.synchronizer.push()
            try api.transport.check()
            #expect(report.created == 1)
            #expect(api.sent == [#"POST /tasks/batch {"items":[{"title":"a"},{"title":"b"}]}"#])
            #expect(try await api.synchronizer.record(at: ObjectURI(entity: "tasks", id: "7"))?["title"] == "a")
            let pending = try await api.synchronizer.pending()
            #expect(pending.map { $0.meta.outgoing?.lastError?.message } == ["title: no"])
            #expect(pending.first?.meta.outgoing?.lastError?.status == 422)
        }

        @Test("CloudKit: operations of records, whose results are known by recordName")
        func cloudKitCreates() async throws {
            let api = try await Variation(Self.cloudKit)
            for name in ["A", "B"] {
                try await api.synchronizer.save(["recordName": .string(name), "title": .string(name)], as: "tasks")
            }
            api.transport.expect(
                "POST", "/v1/records/modify",
                .json(
                    #"{"records":[{"recordName":"B","serverErrorCode":"BAD_REQUEST","reason":"no such field"},"#
                        + #"{"recordName":"A","recordType":"Task","recordChangeTag":"1a","fields":{"title":{"value":"A"}}}]}"#
                ))
            let report = try await api.synchronizer.push()
            try api.transport.check()
            #expect(report.created == 1)
            #expect(
                api.sent == [
                    #"POST /records/modify {"operations":[{"operationType":"create","record":{"recordType":"Task","#
                        + #""recordName":"A","fields":{"title":{"value":"A"}}}},"#
                        + #"{"operationType":"create","record":{"recordType":"Task","#
                        + #""recordName":"B","fields":{"title":{"value":"B"}}}}]}"#
                ])
            let pending = try await api.synchronizer.pending()
            #expect(pending.map(\.uri.id) == ["B"])
            #expect(pending.first?.meta.outgoing?.lastError?.message == "no such field")
            #expect(pending.first?.meta.outgoing?.lastError?.fields == [])
        }

        @Test("CloudKit: a conflict waits for the next pull, which merges, and the tag goes with each write")
        func cloudKitChanges() async throws {
            let api = try await Variation(Self.cloudKit)
            func record(_ name: String, _ tag: String, _ title: String, _ more: String = "") -> String {
                #"{"recordName":"\#(name)","recordChangeTag":"\#(tag)","fields":{"title":{"value":"\#(title)"}\#(more)}}"#
            }
            api.transport.expect(
                "GET", "/v1/tasks", .json(#"{"records":[\#(record("A", "1", "a")),\#(record("B", "1", "b"))]}"#))
            try await api.synchronizer.pull()
            for name in ["A", "B"] {
                try await api.synchronizer.edit(ObjectURI(entity: "tasks", id: name), setting: [("title", "new")])
            }
            let conflict = #"{"recordName":"B","serverErrorCode":"CONFLICT","reason":"record changed"}"#
            api.transport.expect(
                "POST", "/v1/records/modify", .json(#"{"records":[\#(record("A", "2", "new")),\#(conflict)]}"#))
            for _ in 1...4 {
                api.transport.expect("POST", "/v1/records/modify", .json(#"{"records":[\#(conflict)]}"#))
            }
            let report = try await api.synchronizer.push()
            try api.transport.check()
            #expect(report.updated == 1)
            #expect(
                api.sent[1]
                    == #"POST /records/modify {"operations":[{"operationType":"update","record":{"recordType":"Task","#
                    + #""recordName":"A","fields":{"title":{"value":"new"}},"recordChangeTag":"1"}},"#
                    + #"{"operationType":"update","record":{"recordType":"Task","#
                    + #""recordName":"B","fields":{"title":{"value":"new"}},"recordChangeTag":"1"}}]}"#)
            #expect(try await api.synchronizer.status()[0].counts.changed == 1)
            let more = #","note":{"value":"theirs"}"#
            api.transport.expect(
                "GET", "/v1/tasks",
                .json(#"{"records":[\#(record("A", "2", "new")),\#(record("B", "5", "b", more))]}"#))
            try await api.synchronizer.pull()
            api.transport.expect(
                "POST", "/v1/records/modify", .json(#"{"records":[\#(record("B", "6", "new", more))]}"#))
            try await api.synchronizer.push()
            try api.transport.check()
            #expect(api.sent.last?.contains(#""recordChangeTag":"5""#) == true)
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        @Test("JSON:API: all or nothing, so the refused one is found by halves")
        func atomic() async throws {
            let api = try await Variation(Self.atomic)
            for title in ["a", "b"] { try await api.synchronizer.save(["title": .string(title)], as: "tasks") }
            let refusal = #"{"errors":[{"source":{"pointer":"title"},"detail":"too short"}]}"#
            api.transport.expect("POST", "/v1/operations", .json(refusal, status: 422))
            api.transport.expect("POST", "/v1/operations", .json(refusal, status: 422))
            api.transport.expect(
                "POST", "/v1/operations",
                .json(#"{"atomic:results":[{"data":{"type":"tasks","id":"9","attributes":{"title":"b"}}}]}"#))
            let report = try await api.synchronizer.push()
            try api.transport.check()
            #expect(report.created == 1)
            #expect(
                api.sent.last
                    == #"POST /operations {"atomic:operations":[{"op":"add","data":{"type":"tasks","attributes":{"title":"b"}}}]}"#
            )
            #expect(
                try await api.synchronizer.pending().map { $0.meta.outgoing?.lastError?.message } == [
                    "title: too short"
                ])
            try await api.synchronizer.delete(ObjectURI(entity: "tasks", id: "9"))
            api.transport.expect("POST", "/v1/operations", .json(#"{"atomic:results":[{}]}"#))
            #expect(try await api.synchronizer.push().deleted == 1)
            #expect(
                api.sent.last
                    == #"POST /operations {"atomic:operations":[{"op":"remove","ref":{"type":"tasks","id":"9"}}]}"#)
        }

        @Test("results that only acknowledge: the identifier is taken, and the object is read")
        func acknowledged() async throws {
            let api = try await Variation(
                """
                resources:
                  tasks:
                    batch:
                      post: bulk
                      create: { key: ref, idempotency: token, path: url }
                      results: { match: { sent: ref, found: ref }, status: ok, codes: { "true": 200 }, id: newId }
                """)
            try await api.synchronizer.save(["title": "a"], as: "tasks")
            api.transport.expect("POST", "/v1/bulk", .json(#"[{"ref":1,"ok":true,"newId":4}]"#))
            api.transport.expect("GET", "/v1/tasks/4", .json(#"{"id":4,"title":"A"}"#))
            #expect(try await api.synchronizer.push().created == 1)
            try api.transport.check()
            let sent = try #require(api.sent.first)
            #expect(sent.hasPrefix(#"POST /bulk [{"title":"a","token":""#))
            #expect(sent.hasSuffix(#","url":"/tasks","ref":"1"}]"#))
            #expect(try await api.synchronizer.record(at: ObjectURI(entity: "tasks", id: "4"))?["title"] == "A")
        }

        @Test("a key that is a member of the object is what somebody wrote there, and made where nothing stands")
        func ownKey() async throws {
            let api = try await Variation(
                """
                resources:
                  tasks:
                    fields: { "*": { read: "fields[*]", write: "fields[*]" } }
                    read: null
                    version: none
                    batch:
                      patch: tasks
                      items: records
                      set: { performUpsert: { fieldsToMergeOn: ["Client ID"] } }
                      create: { idempotency: "fields['Client ID']" }
                      results: { path: records }
                """)
            try await api.synchronizer.save(["Name": "a", "Client ID": "own-1"], as: "tasks")
            try await api.synchronizer.save(["Name": "b", "Client ID": .null], as: "tasks")
            try await api.synchronizer.save(["Name": "c"], as: "tasks")
            let items = try await api.synchronizer.pushPreview().requests.compactMap {
                $0.batch?.item.members?["fields"]?.members
            }
            #expect(items.map { $0["Name"] } == ["a", "b", "c"])
            #expect(items.first?["Client ID"] == "own-1")
            let keys = items.dropFirst().compactMap { $0["Client ID"]?.string }
            #expect(keys.allSatisfy { $0.count == 36 } && Set(keys).count == 2)
            let shown = try await api.synchronizer.pushPreview().requests.map(\.beside)
            #expect(shown.first == [:])
            #expect(shown.last?["fields"]?.members?["Client ID"]?.string == keys.last)
            // The answer is lost, and the same goes again.
            let answer = zip(["a", "b", "c"], ["own-1", keys[0], keys[1]]).enumerated()
                .map { #"{"id":\#($0),"fields":{"Name":"\#($1.0)","Client ID":"\#($1.1)"}}"# }.joined(separator: ",")
            api.transport.expect("PATCH", "/v1/tasks", .lose())
            api.transport.expect("PATCH", "/v1/tasks", .json("{\"records\":[\(answer)]}"))
            #expect(try await api.synchronizer.push().created == 3)
            let bodies = api.transport.requests.map(\.text)
            #expect(bodies.count == 2 && Set(bodies).count == 1, "\(bodies)")
            let titles = try await api.synchronizer.records(matching: Query("tasks")).map { $0.record["Client ID"] }
            #expect(titles.contains("own-1"))
        }

        @Test("one endpoint for creates, and deletes that go alone")
        func onlyCreates() async throws {
            let api = try await Variation(Self.plain + "\n    version: none")
            api.transport.expect("GET", "/v1/tasks", .json(#"[{"id":1},{"id":2}]"#))
            try await api.synchronizer.pull()
            for id in ["1", "2"] {
                try await api.synchronizer.delete(ObjectURI(entity: "tasks", id: id))
                api.transport.expect("DELETE", "/v1/tasks/\(id)", .respond(204))
            }
            #expect(try await api.synchronizer.push().deleted == 2)
            try api.transport.check()
        }
    }
#endif
