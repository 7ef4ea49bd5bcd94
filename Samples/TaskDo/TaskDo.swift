// The condition is for this repository alone, which is also built without its adapters.
#if Command
    import Atmosphere
    import AtmosphereCurl
    import AtmosphereGoogleTasks
    import AtmosphereOAuth2
    import AtmosphereSQLite
    import AtmosphereYAML
    import Foundation

    struct TaskList: Codable {
        var id = ObjectID.unassigned
        var title: String
        /// Until the server has hidden what is completed.
        var cleared: Bool?
    }

    struct ToDo: Codable {
        enum Status: String, Codable { case needsAction, completed }

        var id = ObjectID.unassigned
        var list: ObjectID
        var title: String
        var status = Status.needsAction
        var parent: ObjectID?
        /// The server has put it away.
        var hidden: Bool?
    }

    /// What a person does, all but `signIn` and `synchronize` without a network.
    struct TaskBook {
        let api: Synchronizer
        let lists: Objects<TaskList>
        let tasks: Objects<ToDo>

        init(routeFile: String) async throws {
            api = try await Synchronizer.open(routeFile, adapters: [.yaml, .googleTasks, .oauth2, .curl, .sqlite])
            lists = api.objects(TaskList.self, in: "lists")
            tasks = api.objects(ToDo.self, in: "tasks", coding: RecordCoding(keys: .named(["list": "list_id"])))
        }

        /// A person signs in with a browser; tokens are kept, and renewed without anybody.
        func signIn() async throws {
            let state = try await api.signIn { step in
                guard case .open(let url) = step else { return }
                print("sign in with a browser of this machine:\n\(url)")
                fflush(nil)
            }
            print(state.canRenew ? "signed in, and renewed without you" : "signed in")
        }

        /// - Returns: whether all was sent and read that could be.
        func synchronize() async throws -> Bool {
            let report = try await api.synchronize()
            let later = report.push.signInNeeded ?? report.push.unreachable ?? report.push.problem
            if let later { print("later: \(later)") }
            // What was not asked for has its reason with another entity.
            let problems = (report.pull?.entities ?? [:]).values.compactMap(\.problem)
            for problem in Set(problems).sorted() where problem != later && !problem.hasPrefix("not asked for") {
                print("not read: \(problem)")
            }
            for object in try await api.rejected() { print("refused: \(object.uri); atmos rejected says why") }
            for object in try await api.conflicts() { print("conflict: \(object.uri); atmos conflicts shows it") }
            for status in try await api.status() where status.counts.objects > 0 {
                let waiting = status.counts.changed
                print("\(status.entity): \(status.counts.objects)\(waiting > 0 ? ", \(waiting) to be sent" : "")")
            }
            return later == nil && report.pull?.isComplete == true
        }

        /// Each list with its tasks as they stand, what is below a task behind it; or one list.
        func show(_ title: String? = nil) async throws {
            let all = try await tasks.matching(order: [.init("position")])
            for list in try await lists.matching(order: [.init("title")]) where title == nil || list.title == title {
                print(list.title)
                let shown = all.filter { $0.list == list.model.id && !isPutAway($0.model, in: list.model) }
                for task in shown where task.parent == nil {
                    print("  \(line(task))")
                    for child in shown where child.parent == task.model.id { print("    \(line(child))") }
                }
            }
        }

        private func isPutAway(_ task: ToDo, in list: TaskList) -> Bool {
            task.hidden == true || (list.cleared == true && task.status == .completed)
        }

        private func line(_ task: TypedObject<ToDo>) -> String {
            "\(task.model.status == .completed ? "[x]" : "[ ]") \(task.title)"
        }

        func add(_ title: String, to list: String) async throws {
            let list = try await self.list(list)
            try await tasks.create(ToDo(list: list.model.id, title: title))
        }

        func set(_ title: String, _ status: ToDo.Status) async throws {
            try await tasks.edit(try await task(title).uri) { $0.status = status }
        }

        /// Behind another task of its list, or first. It stands there at once; the server is told with the next push.
        func move(_ title: String, behind other: String?) async throws {
            let uri = try await task(title).uri
            let previous: Value =
                if let other { try await api.reference(to: try await task(other).uri).value } else { .null }
            try await api.edit(uri, setting: ["previous": previous])
        }

        /// Puts away what is completed; the server is told behind all that waits for the list's tasks.
        func cleanUp(_ title: String) async throws {
            try await lists.edit(try await list(title).uri) { $0.cleared = true }
        }

        func list(_ title: String) async throws -> TypedObject<TaskList> {
            try only(try await lists.matching(Query.Field("title") == .string(title)), "list", title)
        }

        func task(_ title: String) async throws -> TypedObject<ToDo> {
            try only(try await tasks.matching(Query.Field("title") == .string(title)), "task", title)
        }

        private func only<Model: Codable & Sendable>(
            _ found: [TypedObject<Model>], _ kind: String, _ title: String
        ) throws -> TypedObject<Model> {
            guard found.count == 1 else {
                throw Failure("\(found.isEmpty ? "there is no" : "there is more than one") \(kind) “\(title)”")
            }
            return found[0]
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    @main struct Program {
        static let usage = """
            TaskDo ROUTEFILE login | sync | show [LIST] | list TITLE | add LIST TITLE | edit TITLE NEWTITLE
                             done TITLE | open TITLE | move TITLE [BEHIND] | delete TITLE | clean LIST
            """

        static func main() async throws {
            let words = Array(CommandLine.arguments.dropFirst())
            do {
                guard words.count > 1 else { throw Failure(usage) }
                let book = try await TaskBook(routeFile: words[0])
                var status: Int32 = 0
                switch (words[1], words.count) {
                case ("login", 2): try await book.signIn()
                case ("sync", 2): status = try await book.synchronize() ? 0 : 4
                case ("show", 2): try await book.show()
                case ("show", 3): try await book.show(words[2])
                case ("list", 3): try await book.lists.create(TaskList(title: words[2]))
                case ("add", 4): try await book.add(words[3], to: words[2])
                case ("edit", 4): try await book.tasks.edit(try await book.task(words[2]).uri) { $0.title = words[3] }
                case ("done", 3): try await book.set(words[2], .completed)
                case ("open", 3): try await book.set(words[2], .needsAction)
                case ("move", 3): try await book.move(words[2], behind: nil)
                case ("move", 4): try await book.move(words[2], behind: words[3])
                case ("delete", 3): try await book.tasks.delete(try await book.task(words[2]).uri)
                case ("clean", 3): try await book.cleanUp(words[2])
                default: throw Failure(usage)
                }
                try await book.api.close()
                exit(status)
            } catch {
                FileHandle.standardError.write(Data("\(error)\n".utf8))
                exit(1)
            }
        }
    }
#else
    @main struct Program { static func main() { print("TaskDo needs the default traits") } }
#endif
