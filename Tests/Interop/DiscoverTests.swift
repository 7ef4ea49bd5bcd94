#if Command
    import Atmosphere
    import Foundation
    import Testing

    /// Descriptions that others wrote, and the servers behind them: the file works as it was written.
    @Suite("discover", .serialized, .enabled(if: DjangoServer.isAvailable, "no Python with venv here"))
    struct DiscoverTests {
        private func lines(_ command: AtmosCommand, _ entity: String) async throws -> Int {
            let run = try await command.run(["export", entity])
            #expect(run.status == 0, "\(run)")
            return run.output.split(separator: "\n").count
        }

        @Test("a description that FastAPI wrote gives a file that works unedited, for reading and writing")
        func fastAPI() async throws {
            let server = try await FastAPIServer.start()
            let command = AtmosCommand(routeFile: server.folder.appendingPathComponent("projects.yaml"))
            // The server's address alone is enough: the description is found below it.
            let run = try await command.run(["discover", server.url])
            #expect(run.status == 0 && run.output.contains(": projects, notes;"), "\(run)")
            let check = try await command.run(["check", "--write"])
            #expect(check.status == 0, "\(check)")
            let pull = try await command.run(["pull", "-q"])
            #expect(pull.status == 0, "\(pull)")
            #expect(try await lines(command, "projects") == 25)
            // 25 projects with 0, 1 or 2 notes each.
            #expect(try await lines(command, "notes") == 25)
            for arguments in [
                ["edit", "projects/3", "title=Renamed"], ["create", "projects", "title=New"], ["delete", "projects/1"],
                ["create", "notes", "text=New", "project_id=3"]
            ] {
                let edit = try await command.run(arguments)
                #expect(edit.status == 0, "\(edit)")
            }
            let push = try await command.run(["push"])
            #expect(push.status == 0 && push.output.contains("2 created, 1 updated, 1 deleted"), "\(push)")
            let text = try String(contentsOf: command.routeFile, encoding: .utf8)
            #expect(text.contains("base: \(server.url)/api/v1\n"), "\(text)")
            #expect(text.contains("archive: { post: \"projects/{id}/archive\", query: [silently] }"), "\(text)")
            #expect(text.contains("\n# No list of objects, so left out: GET /health.\n"), "\(text)")
        }

        @Test("a description that drf-spectacular wrote gives a file that works unedited, credentials and all")
        func django() async throws {
            let server = try await DjangoServer.start(seed: 60)
            let command = AtmosCommand(routeFile: server.folder.appendingPathComponent("pictures.yaml"))
            let run = try await command.run(["discover", "\(server.url)/schema/"])
            #expect(run.status == 0, "\(run)")
            let check = try await command.run(["check"])
            #expect(check.status == 0, "\(check)")
            let pull = try await command.run(["pull", "-q"])
            #expect(pull.status == 0, "\(pull)")
            // Page numbers, offsets, cursors and bare arrays, each under its own path.
            for entity in ["pictures", "number_pictures", "offset_pictures", "cursor_pictures", "plain_pictures"] {
                #expect(try await lines(command, entity) == 60, "\(entity)")
            }
            let edit = try await command.run(["edit", "pictures/7", "title=Renamed"])
            #expect(edit.status == 0)
            let push = try await command.run(["push", "pictures"])
            #expect(push.status == 0, "\(push)")
            #expect(try await server.rows("picture").first { $0["id"] == 7 }?["title"] == "Renamed")
        }

        @Test("a description that django-ninja wrote gives a file that works unedited, for reading and writing")
        func ninja() async throws {
            let server = try await FastAPIServer.start("books.py")
            var command = AtmosCommand(routeFile: server.folder.appendingPathComponent("books.yaml"))
            // The description says which header; the value stays in the environment.
            command.secrets["API_TOKEN"] = "open-sesame"
            let run = try await command.run(["discover", "\(server.url)/api/openapi.json"])
            #expect(run.status == 0 && run.output.contains(": books, reviews;"), "\(run)")
            let text = try String(contentsOf: command.routeFile, encoding: .utf8)
            #expect(text.contains("auth: { key: { header: X-API-Key, value: \"secret:API_TOKEN\" } }"), "\(text)")
            let check = try await command.run(["check", "--write"])
            #expect(check.status == 0, "\(check)")
            let pull = try await command.run(["pull", "-q"])
            #expect(pull.status == 0, "\(pull)")
            // Three pages by offset, and the reviews of each book below it.
            #expect(try await lines(command, "books") == 250)
            #expect(try await lines(command, "reviews") == 2)
            for arguments in [
                ["edit", "books/3", "title=Renamed"], ["create", "books", "title=New", "price=3.10"],
                ["create", "reviews", "book_id=3", "text=Fine"], ["delete", "books/250"]
            ] {
                let edit = try await command.run(arguments)
                #expect(edit.status == 0, "\(edit)")
            }
            let push = try await command.run(["push"])
            #expect(push.status == 0 && push.output.contains("2 created, 1 updated, 1 deleted"), "\(push)")
        }

        @Test("Google’s own description of the Tasks API, as its client ships it, gives a file that loads")
        func google() async throws {
            let python = try #require(DjangoServer.python)
            let script = """
                import googleapiclient, os
                folder = os.path.dirname(googleapiclient.__file__)
                print(os.path.join(folder, "discovery_cache", "documents", "tasks.v1.json"))
                """
            let (status, output) = try await onOwnThread { () -> (Int32, String) in
                let process = Process()
                let pipe = Pipe()
                process.executableURL = python
                process.arguments = ["-c", script]
                process.standardOutput = pipe
                try process.start()
                let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                process.waitUntilExit()
                return (process.terminationStatus, text)
            }
            try #require(status == 0)
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            let command = AtmosCommand(routeFile: folder.appendingPathComponent("google.yaml"))
            let run = try await command.run(["discover", output.split(separator: "\n").map(String.init).last ?? ""])
            #expect(run.status == 0 && run.output.contains("tasks"), "\(run)")
            let validate = try await command.run(["validate"])
            #expect(validate.status == 0, "\(validate)")
            let text = try String(contentsOf: command.routeFile, encoding: .utf8)
            for setting in [
                "https://tasks.googleapis.com", "style: google-tasks", "oauth2", "lists/{lists.id}/tasks",
                "showHidden: true", "deletes: { field: deleted, equals: true }"
            ] {
                #expect(text.contains(setting), "\(setting) in \(text)")
            }
        }

        @Test("an API that does not describe itself is looked at")
        func probe() async throws {
            let server = try await FastAPIServer.start()
            let command = AtmosCommand(routeFile: server.folder.appendingPathComponent("probed.yaml"))
            let run = try await command.run(["discover", "\(server.url)/api/v1/projects?limit=3"])
            #expect(run.status == 0 && run.output.contains(": projects;"), "\(run)")
            let check = try await command.run(["check"])
            #expect(check.status == 0, "\(check)")
            #expect(try await command.run(["pull", "-q"]).status == 0)
            // Nothing showed that there is more than a page: the file says so.
            #expect(try await lines(command, "projects") == 10)
            let text = try String(contentsOf: command.routeFile, encoding: .utf8)
            #expect(text.contains("# No paging is described: one answer is taken to hold everything."), "\(text)")
            #expect(text.contains("types: { due: date, created_at: instant }"), "\(text)")
        }

        @Test(
            "Rails is looked at by the address that a person sees",
            .enabled(if: RailsServer.isAvailable, "no Rails here"))
        func rails() async throws {
            let server = try await RailsServer.start(seed: 30)
            let command = AtmosCommand(routeFile: server.folder.appendingPathComponent("todos.yaml"))
            let run = try await command.run(["discover", "\(server.url)/todos.json"])
            #expect(run.status == 0 && run.output.contains(": todos;"), "\(run)")
            let text = try String(contentsOf: command.routeFile, encoding: .utf8)
            #expect(text.contains("\nstyle: rails\nbase: \(server.url)\n"), "\(text)")
            let check = try await command.run(["check"])
            #expect(check.status == 0, "\(check)")
            #expect(try await command.run(["pull", "-q"]).status == 0)
            #expect(try await lines(command, "todos") == 30)
            #expect(try await command.run(["edit", "todos/7", "title=Renamed"]).status == 0)
            let push = try await command.run(["push"])
            #expect(push.status == 0 && push.output.contains("1 updated"), "\(push)")
        }

        @Test("python’s jsonschema accepts the route file’s schema, and every file that loads by it")
        func schema() async throws {
            let python = try #require(DjangoServer.python)
            let root = PeerServer.packageRoot
            let script = """
                import glob, json, sys, yaml, jsonschema
                schema = json.load(open("docs/route-file.schema.json"))
                jsonschema.Draft7Validator.check_schema(schema)
                validator = jsonschema.Draft7Validator(schema)
                good = glob.glob("Tests/Fixtures/RouteFiles/good/*.yaml") + glob.glob("Samples/*/*.yaml")
                for name in good:
                    for error in validator.iter_errors(yaml.safe_load(open(name))):
                        print(name, list(error.path), error.message)
                wrong = glob.glob("Tests/Fixtures/RouteFiles/wrong/wrong-*.yaml")
                for name in wrong:
                    if validator.is_valid(yaml.safe_load(open(name))):
                        print(name, "is valid")
                print(len(good) > 2 and len(wrong) > 1)
                """
            let (status, output) = try await onOwnThread { () -> (Int32, String) in
                let process = Process()
                let pipe = Pipe()
                process.executableURL = python
                process.currentDirectoryURL = root
                process.arguments = ["-c", script]
                process.standardOutput = pipe
                try process.start()
                let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                process.waitUntilExit()
                return (process.terminationStatus, text)
            }
            #expect(status == 0 && output == "True\n", "\(output)")
        }
    }
#endif
