#if YAML
    import Atmosphere
    import AtmosphereGoogleTasks
    import AtmosphereSource
    import AtmosphereYAML
    import Testing

    @Suite("The source of Google Tasks")
    struct GoogleTasksSourceTests {
        /// Two lists with four tasks each, nobody signed in.
        private func server(seed: Int = 0) throws -> SampleServer {
            let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
                .joined(separator: "/")
            let file = try RouteFile.load(
                path: "\(folder)/Samples/TaskDo/taskdo.yaml", adapters: [.yaml, .googleTasks])
            var api = try SourceAPI(file)
            api.auth = .none
            return SampleServer(api, seed: seed)
        }

        private func newList(_ server: inout SampleServer, _ title: String = "Home") throws -> String {
            let answer = server.send("POST", "/tasks/v1/users/@me/lists", #"{"title":"\#(title)"}"#)
            return try #require(answer["id"]?.string)
        }

        private func newTask(
            _ server: inout SampleServer, _ list: String, _ body: String, query: String = ""
        ) throws -> SampleAnswer {
            let answer = server.send("POST", "/tasks/v1/lists/\(list)/tasks\(query)", body)
            try #require(answer.status == 200, "\(answer.body)")
            return answer
        }

        @Test("a task has the members of the real one, in its order, and no other; a list without tasks has no items")
        func shape() throws {
            var server = try server()
            let list = try newList(&server)
            let empty = server.send("GET", "/tasks/v1/lists/\(list)/tasks")
            #expect(empty.status == 200 && empty["kind"] == "tasks#tasks" && empty["items"] == nil)
            let task = try newTask(
                &server, list, #"{"title":"Milk","due":"2024-01-02T17:30:00Z","notes":"","status":"needsAction"}"#)
            #expect(
                task.body.members?.names == [
                    "kind", "id", "etag", "title", "updated", "selfLink", "position", "status", "due", "links",
                    "webViewLink"
                ])
            #expect(task["due"] == "2024-01-02T00:00:00.000Z" && task["position"] == "00000000000000000000")
            #expect(task["updated"]?.string == "2024-06-01T12:00:03.000Z")
            #expect(task["etag"]?.string?.hasPrefix("\"") == true)
            #expect(task["selfLink"]?.string?.hasPrefix("https://www.googleapis.com/tasks/v1/lists/\(list)/") == true)
        }

        @Test(
            "what the API does not know is refused with 400",
            arguments: [
                ("POST", "", #"{"titel":"x"}"#, "Unknown name \"titel\" at 'task': Cannot find field."),
                ("POST", "", #"{"title":5}"#, "Invalid value at 'task.title' (TYPE_STRING), 5"),
                ("POST", "", #"{"links":[{"url":"x"}]}"#, "Unknown name \"url\" at 'task.links[0]'"),
                ("POST", "", #"{"hidden":"yes"}"#, "Invalid value at 'task.hidden' (TYPE_BOOL), \"yes\""),
                ("POST", "", #"{"list_id":"x"}"#, "Unknown name \"list_id\""),
                ("POST", "", #"{"status":"done"}"#, "Invalid value at 'task.status', \"done\""),
                ("POST", "", "{", "Invalid JSON payload received."),
                ("POST", "?showHidden=true", "{}", "Unknown name \"showHidden\": Cannot bind query parameter."),
                ("GET", "?showHiden=true", "", "Unknown name \"showHiden\""),
                ("GET", "?showHidden=1", "", "Invalid value at 'show_hidden', \"1\""),
                ("GET", "?maxResults=many", "", "Invalid value at 'max_results', \"many\""),
                ("GET", "?updatedMin=yesterday", "", "Invalid value at 'updated_min', \"yesterday\""),
                ("GET", "?pageToken=x", "", "Invalid value at 'page_token', \"x\"")
            ])
        func strict(method: String, query: String, body: String, message: String) throws {
            var server = try server()
            let list = try newList(&server)
            let answer = server.send(method, "/tasks/v1/lists/\(list)/tasks\(query)", body)
            #expect(answer.status == 400 && answer["error.code"] == 400)
            #expect(answer["error.status"] == "INVALID_ARGUMENT")
            let text = try #require(answer["error.message"]?.string)
            #expect(text.contains(message), "\(text)")
            #expect(answer["error.errors[0].message"]?.string == text)
        }

        @Test("an unknown path answers with a web page, an unknown object with the API's error")
        func notFound() throws {
            var server = try server()
            let page = server.send("GET", "/tasks/v1/list/x")
            #expect(page.status == 404 && page.headers["Content-Type"] == "text/html; charset=UTF-8")
            let list = try newList(&server)
            let task = server.send("GET", "/tasks/v1/lists/\(list)/tasks/none")
            #expect(task.status == 404 && task["error.errors[0].reason"] == "notFound")
            #expect(task["error.status"] == "NOT_FOUND")
        }

        @Test("an old entity tag is refused with 412 by PATCH, PUT and DELETE", arguments: ["PATCH", "PUT", "DELETE"])
        func precondition(method: String) throws {
            var server = try server()
            let list = try newList(&server)
            let task = try newTask(&server, list, #"{"title":"a"}"#)
            let id = try #require(task["id"]?.string)
            let path = "/tasks/v1/lists/\(list)/tasks/\(id)"
            let old = try #require(task["etag"]?.string)
            #expect(server.send("PATCH", path, #"{"title":"b"}"#, headers: ["If-Match": old]).status == 200)
            let body = #"{"id":"\#(id)","title":"c"}"#
            let refused = server.send(method, path, body, headers: ["If-Match": old])
            #expect(refused.status == 412 && refused["error.errors[0].reason"] == "conditionNotMet")
            let new = try #require(server.send("GET", path)["etag"]?.string)
            let accepted = server.send(method, path, body, headers: ["If-Match": new])
            #expect(accepted.status == (method == "DELETE" ? 204 : 200))
        }

        @Test("what the route file leaves out of the API is there all the same: PUT, move, clear")
        func wholeAPI() throws {
            let file = try RouteFile.load(
                bytes: Array(
                    """
                    atmosphere: 1
                    style: google-tasks
                    base: https://tasks.googleapis.com/tasks/v1
                    resources:
                      lists: { path: users/@me/lists }
                      tasks: { path: "lists/{lists.id}/tasks", parent: { lists: list_id } }
                    """.utf8), source: "short.yaml", adapters: [.yaml, .googleTasks])
            var server = try SampleServer(SourceAPI(file))
            let list = try newList(&server)
            let id = try #require(try newTask(&server, list, #"{"title":"a","notes":"b"}"#)["id"]?.string)
            let path = "/tasks/v1/lists/\(list)/tasks/\(id)"
            let replaced = server.send("PUT", path, #"{"id":"\#(id)","title":"c"}"#)
            #expect(replaced["title"] == "c" && replaced["notes"] == nil)
            #expect(server.send("PUT", path, #"{"title":"c"}"#).status == 400)
            #expect(server.send("POST", "\(path)/move").status == 200)
            #expect(server.send("POST", "/tasks/v1/lists/\(list)/clear").status == 204)
        }

        @Test("a new task goes to the top and gives its siblings other positions and tags, but no other time")
        func positions() throws {
            var server = try server()
            let list = try newList(&server)
            let first = try newTask(&server, list, #"{"title":"first"}"#)
            let id = try #require(first["id"]?.string)
            _ = try newTask(&server, list, #"{"title":"second"}"#)
            let moved = server.send("GET", "/tasks/v1/lists/\(list)/tasks/\(id)")
            #expect(moved["position"] == "00000000000000000001" && moved["updated"] == first["updated"])
            #expect(moved["etag"] != first["etag"])
            let third = try newTask(&server, list, #"{"title":"third"}"#, query: "?previous=\(id)")
            #expect(third["position"] == "00000000000000000002")
            let unknown = server.send("POST", "/tasks/v1/lists/\(list)/tasks?previous=none", "{}")
            #expect(unknown.status == 400)
        }

        @Test("move changes parent and position; without arguments a task goes to the top")
        func move() throws {
            var server = try server()
            let list = try newList(&server)
            let ids = try ["a", "b", "c"].map { title in
                try #require(try newTask(&server, list, #"{"title":"\#(title)"}"#)["id"]?.string)
            }
            let tasks = "/tasks/v1/lists/\(list)/tasks"
            let below = server.send("POST", "\(tasks)/\(ids[0])/move?parent=\(ids[1])")
            #expect(below.status == 200 && below["parent"]?.string == ids[1])
            #expect(below["position"] == "00000000000000000000")
            let ignored = server.send("PATCH", "\(tasks)/\(ids[0])", #"{"parent":"\#(ids[2])","position":"9"}"#)
            #expect(ignored.status == 200 && ignored["parent"]?.string == ids[1])
            let behind = server.send("POST", "\(tasks)/\(ids[0])/move?previous=\(ids[1])")
            #expect(behind["parent"] == nil && behind["position"] == "00000000000000000002")
            #expect(server.send("POST", "\(tasks)/\(ids[0])/move")["position"] == "00000000000000000000")
            #expect(server.send("POST", "\(tasks)/\(ids[0])/move?parent=none").status == 400)
        }

        @Test("completed, hidden and deleted tasks are listed only where they are asked for")
        func visibility() throws {
            var server = try server()
            let list = try newList(&server)
            let tasks = "/tasks/v1/lists/\(list)/tasks"
            let ids = try ["open", "done", "cleared", "deleted"].map { title in
                let status = ["done", "cleared"].contains(title) ? "completed" : "needsAction"
                let body = #"{"title":"\#(title)","status":"\#(status)"}"#
                let id = try #require(try newTask(&server, list, body)["id"]?.string)
                if title == "cleared" { #expect(server.send("POST", "/tasks/v1/lists/\(list)/clear").status == 204) }
                return id
            }
            // Clearing took both completed ones; one is opened and completed again.
            _ = server.send("PATCH", "\(tasks)/\(ids[1])", #"{"status":"needsAction"}"#)
            #expect(server.send("PATCH", "\(tasks)/\(ids[1])", #"{"status":"completed"}"#)["completed"] != nil)
            #expect(server.send("DELETE", "\(tasks)/\(ids[3])").status == 204)
            func titles(_ query: String) -> [String] {
                server.send("GET", "\(tasks)?\(query)").values("$.items[*].title").compactMap(\.string)
            }
            #expect(titles("") == ["open", "done"])
            #expect(titles("showCompleted=false") == ["open"])
            #expect(titles("showHidden=true") == ["open", "done", "cleared"])
            #expect(titles("showHidden=true&showDeleted=true") == ["open", "done", "cleared", "deleted"])
            #expect(server.send("GET", "\(tasks)/\(ids[3])")["deleted"] == true)
            #expect(server.send("GET", "\(tasks)/\(ids[2])")["hidden"] == true)
        }

        @Test("updatedMin includes its instant; pages hold what is asked for, and no more than 100")
        func pages() throws {
            var server = try server(seed: 3)
            let list = try #require(server.send("GET", "/tasks/v1/users/@me/lists")["items[0].id"]?.string)
            var last: SampleAnswer?
            for number in 1...120 { last = try newTask(&server, list, #"{"title":"t\#(number)"}"#) }
            let updated = try #require(last?["updated"]?.string)
            let tasks = "/tasks/v1/lists/\(list)/tasks"
            #expect(server.send("GET", "\(tasks)?updatedMin=\(updated)").values("$.items[*]").count == 1)
            #expect(server.send("GET", tasks).values("$.items[*]").count == 20)
            let page = server.send("GET", "\(tasks)?maxResults=500&showHidden=true")
            #expect(page.values("$.items[*]").count == 100)
            let token = try #require(page["nextPageToken"]?.string)
            let rest = server.send("GET", "\(tasks)?maxResults=500&showHidden=true&pageToken=\(token)")
            #expect(rest.values("$.items[*]").count == 21 && rest["nextPageToken"] == nil)
        }

        @Test("@default is the first list, which cannot be deleted; another takes its tasks along")
        func lists() throws {
            var server = try server()
            let first = try newList(&server)
            let second = try newList(&server, "Work")
            #expect(server.send("GET", "/tasks/v1/users/@me/lists/@default")["id"]?.string == first)
            _ = try newTask(&server, "@default", #"{"title":"a"}"#)
            #expect(server.send("GET", "/tasks/v1/lists/\(first)/tasks").values("$.items[*]").count == 1)
            #expect(server.send("DELETE", "/tasks/v1/users/@me/lists/\(first)").status == 400)
            #expect(server.send("DELETE", "/tasks/v1/users/@me/lists/\(second)").status == 204)
            #expect(server.send("GET", "/tasks/v1/lists/\(second)/tasks").status == 404)
        }
    }
#endif
