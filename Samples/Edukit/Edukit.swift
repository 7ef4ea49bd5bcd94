// The condition is for this repository alone, which is also built without its adapters.
#if Command
    import Atmosphere
    import AtmosphereCurl
    import AtmosphereRails
    import AtmosphereSQLite
    import AtmosphereSocketIOClient
    import AtmosphereYAML
    import Foundation

    struct Course: Codable {
        var id: ObjectID
        var name: String
        var members: [String]
    }

    struct Topic: Codable {
        var id = ObjectID.unassigned
        var courseId: ObjectID
        var title: String
    }

    struct Message: Codable {
        var id = ObjectID.unassigned
        var topicId: ObjectID
        /// The server says who has written it; nil where it was not sent yet.
        var author: String?
        var text: String
        var writtenAt: Date
    }

    struct Page: Codable {
        var id = ObjectID.unassigned
        var courseId: ObjectID
        var title: String
        var text: String
    }

    /// The courses of a person on this computer.
    struct School: Sendable {
        let api: Synchronizer
        let courses: Objects<Course>
        let topics: Objects<Topic>
        let messages: Objects<Message>
        let pages: Objects<Page>

        /// - Parameter folder: where the copy is kept; beside the route file where none is given.
        init(routeFile: String, folder: String? = nil) async throws {
            api = try await Synchronizer.open(
                routeFile, adapters: [.yaml, .rails, .curl, .sqlite, .socketIO], folder: folder)
            let coding = RecordCoding(keys: .snakeCase)
            courses = api.objects(Course.self, in: "courses", coding: coding)
            topics = api.objects(Topic.self, in: "topics", coding: coding)
            messages = api.objects(Message.self, in: "messages", coding: coding)
            pages = api.objects(Page.self, in: "pages", coding: coding)
        }

        // MARK: Without a network

        func list() async throws {
            for course in try await courses.matching(order: [.init("name")]) {
                say("\(course.name): \(course.members.joined(separator: ", "))")
                let isOfCourse = Query.Field("course_id") == .string(course.model.id.text)
                for topic in try await topics.matching(isOfCourse, order: [.init("title")]) {
                    let number = try await messages.count(Self.isOf(topic))
                    say("  topic “\(topic.title)”: \(number) messages")
                }
                for page in try await pages.matching(isOfCourse, order: [.init("title")]) {
                    say("  page “\(page.title)”\(Self.state(page.status))")
                }
            }
        }

        func read(_ title: String) async throws {
            let found = try await messages.matching(Self.isOf(topic(title)), order: Self.order)
            for message in found { say("\(Self.line(message))\(Self.state(message.status))") }
        }

        func write(_ text: String, in title: String) async throws {
            try await messages.create(Message(topicId: topic(title).model.id, text: text, writtenAt: .now))
        }

        func open(_ title: String, in course: String) async throws {
            let found = try await courses.matching(Query.Field("name") == .string(course))
            guard let course = found.first else { throw Failure("there is no course “\(course)”") }
            try await topics.create(Topic(courseId: course.model.id, title: title))
        }

        func show(_ title: String) async throws {
            let page = try await self.page(title)
            for (index, line) in page.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            where !line.isEmpty { say("\(index + 1)  \(line)") }
        }

        /// Sets a line of a page; behind the last one it adds one.
        func setLine(_ number: Int, of title: String, to text: String) async throws {
            try await pages.edit(try await page(title).uri) { page in
                var lines = page.text.split(separator: "\n").map(String.init)
                if lines.indices.contains(number - 1) { lines[number - 1] = text } else { lines.append(text) }
                page.text = lines.joined(separator: "\n") + "\n"
            }
        }

        /// Decides what both have written into the same line.
        func keep(_ side: Synchronizer.Resolution, of title: String) async throws {
            try await api.resolve(try await page(title).uri, side)
        }

        // MARK: With the server

        /// - Returns: whether all was sent and read that could be.
        func synchronize() async throws -> Bool {
            let report = try await api.synchronize()
            let later = report.push.unreachable ?? report.push.signInNeeded ?? report.push.problem
            if let later { say("later: \(later)") }
            // What was not asked for has its reason with another entity.
            let problems = (report.pull?.entities ?? [:]).values.compactMap(\.problem)
            for problem in Set(problems).sorted() where problem != later && !problem.hasPrefix("not asked for") {
                say("not read: \(problem)")
            }
            for object in try await api.rejected() { say("refused: \(object.uri); atmos rejected says why") }
            for object in try await api.conflicts() {
                say("both have written into “\(object.record?["title"]?.text ?? object.uri.id)”")
                guard case .conflicted(_, let conflict) = object.status else { continue }
                for (whose, record) in [("mine", object.record), ("theirs", conflict.theirs)] {
                    let text = record?["text"]?.text ?? "it was deleted"
                    for line in text.split(separator: "\n") { say("  \(whose): \(line)") }
                }
            }
            return later == nil && report.pull?.isComplete == true
        }

        /// Shows a topic as it goes on, and sends what is typed, until the input ends.
        func chat(_ title: String) async throws {
            let topic = try await self.topic(title)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await api.run() }
                group.addTask { try await follow() }
                group.addTask { try await api.watchOtherProcesses() }
                group.addTask { try await showConnection() }
                group.addTask {
                    var shown: Set<ObjectURI> = []
                    for try await present in messages.changes(Self.isOf(topic), order: Self.order) {
                        for message in present where shown.insert(message.uri).inserted { say(Self.line(message)) }
                    }
                }
                group.addTask {
                    for await text in typedLines() { try await write(text, in: title) }
                    _ = try await api.push()
                    throw CancellationError()
                }
                defer { group.cancelAll() }
                do { while try await group.next() != nil {} } catch is CancellationError {}
            }
        }

        private func showConnection() async throws {
            var wasLive: Bool?
            for try await status in api.statusChanges() {
                guard status.live != .connecting, status.live != .off else { continue }
                let isLive = if case .connected = status.live { true } else { false }
                if isLive != wasLive { say(isLive ? "# live" : "# not live: go on writing") }
                wasLive = isLive
            }
        }

        private func follow() async throws {
            try await api.follow(catchUp: {
                api.requestSynchronization()
                return true
            })
        }

        /// Tells what is for this person, and nothing of messages, until somebody ends it. Its copy is its own, and thrown away.
        static func notify(routeFile: String) async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
            let school = try await School(routeFile: routeFile, folder: folder)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await notification in school.api.notifications() { say(text(of: notification.data)) }
                }
                group.addTask { try await school.showConnection() }
                group.addTask {
                    for await _ in typedLines() {}
                    throw CancellationError()
                }
                group.addTask { try await school.api.follow(catchUp: { true }) }
                defer { group.cancelAll() }
                do { while try await group.next() != nil {} } catch is CancellationError {}
            }
            try await school.api.close()
        }

        private static func text(of data: Value) -> String {
            func member(_ name: String) -> String { data.members?[name]?.text ?? "" }
            return switch member("about") {
            case "mention": "\(member("by")) asks you in “\(member("topic"))”: \(member("text"))"
            case "page": "\(member("by")) has edited “\(member("page"))”"
            default: data.text
            }
        }

        // MARK: What is asked for and shown

        private static let order = [Query.Order("written_at")]

        private static func isOf(_ topic: TypedObject<Topic>) -> Query.Filter {
            Query.Field("topic_id") == .string(topic.model.id.text)
        }

        private static func line(_ message: TypedObject<Message>) -> String {
            "\(message.author ?? "me"): \(message.text)"
        }

        private static func state(_ status: ObjectStatus) -> String {
            switch status {
            case .synchronized: ""
            case .waiting, .sending, .unknown: "  (to be sent)"
            case .conflicted: "  (in conflict)"
            case .rejected: "  (refused)"
            }
        }

        private func topic(_ title: String) async throws -> TypedObject<Topic> {
            guard let topic = try await topics.matching(Query.Field("title") == .string(title)).first else {
                throw Failure("there is no topic “\(title)”")
            }
            return topic
        }

        private func page(_ title: String) async throws -> TypedObject<Page> {
            guard let page = try await pages.matching(Query.Field("title") == .string(title)).first else {
                throw Failure("there is no page “\(title)”")
            }
            return page
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    /// At once, also into a file.
    func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    /// Reading waits on a thread of its own.
    func typedLines() -> AsyncStream<String> {
        AsyncStream { lines in
            Thread.detachNewThread {
                while let line = readLine() { lines.yield(line) }
                lines.finish()
            }
        }
    }

    @main struct Program {
        static let usage = """
            Edukit ROUTEFILE list | sync | read TOPIC | say TOPIC TEXT | open COURSE TOPIC
                             page TITLE | line TITLE NUMBER TEXT | keep TITLE mine|theirs|both
                             chat TOPIC | notifier
            """

        static func main() async throws {
            let words = Array(CommandLine.arguments.dropFirst())
            do {
                guard words.count > 1 else { throw Failure(usage) }
                if words[1] == "notifier" { return try await School.notify(routeFile: words[0]) }
                let school = try await School(routeFile: words[0])
                var status: Int32 = 0
                switch (words[1], words.count) {
                case ("list", 2): try await school.list()
                case ("sync", 2): status = try await school.synchronize() ? 0 : 4
                case ("read", 3): try await school.read(words[2])
                case ("say", 4): try await school.write(words[3], in: words[2])
                case ("open", 4): try await school.open(words[3], in: words[2])
                case ("page", 3): try await school.show(words[2])
                case ("line", 5):
                    guard let number = Int(words[3]), number > 0 else { throw Failure("\(words[3]) is no line") }
                    try await school.setLine(number, of: words[2], to: words[4])
                case ("keep", 4) where words[3] == "mine": try await school.keep(.mine, of: words[2])
                case ("keep", 4) where words[3] == "theirs": try await school.keep(.theirs, of: words[2])
                case ("keep", 4) where words[3] == "both": try await school.keep(.both(setting: []), of: words[2])
                case ("chat", 3): try await school.chat(words[2])
                default: throw Failure(usage)
                }
                try await school.api.close()
                exit(status)
            } catch {
                FileHandle.standardError.write(Data("\(error)\n".utf8))
                exit(1)
            }
        }
    }
#else
    @main struct Program { static func main() { print("Edukit needs the default traits") } }
#endif
