// The condition is for this repository alone, which is also built without its adapters.
#if Command
    import Atmosphere
    import AtmosphereCurl
    import AtmospherePlain
    import AtmosphereSQLite
    import AtmosphereYAML
    import Foundation

    struct Post: Codable {
        var guid = ObjectID.unassigned
        var title: String
        var body: String
        var written: Date
    }

    /// A blog on this computer, which anybody else edits on theirs.
    struct Blog {
        let api: Synchronizer
        let posts: Objects<Post>

        init(routeFile: String) async throws {
            api = try await Synchronizer.open(routeFile, adapters: [.yaml, .plain, .curl, .sqlite])
            posts = api.objects(Post.self, in: "posts")
        }

        /// Each post with its state: ✓ as the server has it, ↑ to be sent, C in conflict.
        func list() async throws {
            for post in try await posts.matching(order: [.init("written")]) {
                let sign =
                    switch post.status {
                    case .synchronized: "✓"
                    case .conflicted: "C"
                    case .rejected: "!"
                    case .waiting, .sending, .unknown: "↑"
                    }
                print("\(sign) \(post.uri.id.prefix(8))  \(post.title): \(post.body)")
            }
        }

        func write(_ title: String, _ body: String, at moment: Date) async throws {
            try await posts.create(Post(title: title, body: body, written: moment))
        }

        func edit(_ title: String, _ body: String) async throws {
            try await posts.edit(try await post(title).uri) { $0.body = body }
        }

        func delete(_ title: String) async throws { try await posts.delete(try await post(title).uri) }

        func attach(_ title: String, file: String) async throws {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
            let picture = AttachmentContent(bytes, fileName: "picture.png", mediaType: "image/png")
            try await api.attach(picture, as: "picture", to: try await post(title).uri)
        }

        /// - Returns: whether all was sent and read that could be.
        func synchronize() async throws -> Bool {
            let report = try await api.synchronize()
            let later = report.push.unreachable ?? report.push.signInNeeded ?? report.push.problem
            if let later { print("later: \(later)") }
            // What was not asked for has its reason with another entity.
            let problems = (report.pull?.entities ?? [:]).values.compactMap(\.problem)
            for problem in Set(problems).sorted() where problem != later && !problem.hasPrefix("not asked for") {
                print("not read: \(problem)")
            }
            func written(_ post: LocalObject) -> String { post.record?["written"]?.text ?? "" }
            for post in try await api.conflicts().sorted(by: { written($0) < written($1) }) { try await show(post.uri) }
            return later == nil && report.pull?.isComplete == true
        }

        /// What a person has to decide: each member that both sides have changed.
        func show(_ uri: ObjectURI) async throws {
            guard let object = try await api.object(at: uri), case .conflicted(_, let conflict) = object.status else {
                return
            }
            print("conflict in “\(object.record?["title"]?.text ?? uri.id)”:")
            if conflict.theirs == nil { print("  it was deleted by somebody else") }
            for name in conflict.fields {
                print("  \(name), mine:   \(object.record?[name]?.text ?? "nothing")")
                print("  \(name), theirs: \(conflict.theirs?[name]?.text ?? "nothing")")
            }
        }

        /// `mine`, `theirs`, `both`, or a member with a text of one's own: `body=Something else`.
        func resolve(_ title: String, _ words: [String]) async throws {
            let uri = try await post(title).uri
            switch words {
            case ["mine"]: try await api.resolve(uri, .mine)
            case ["theirs"]: try await api.resolve(uri, .theirs)
            case ["both"]: try await api.resolve(uri, .both(setting: []))
            default:
                let values = try words.map { word -> (name: String, value: Value?) in
                    guard let place = word.firstIndex(of: "=") else {
                        throw Failure("\(word): write mine, theirs, both or member=text")
                    }
                    return (String(word[..<place]), .string(String(word[word.index(after: place)...])))
                }
                try await api.resolve(uri, .set(values))
            }
        }

        private func post(_ title: String) async throws -> TypedObject<Post> {
            let found = try await posts.matching(Query.Field("title") == .string(title))
            guard let post = found.first else { throw Failure("there is no post “\(title)”") }
            guard found.count == 1 else { throw Failure("there are \(found.count) posts “\(title)”") }
            return post
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    @main struct Program {
        static let usage = """
            SyncBlog ROUTEFILE list | sync | write TITLE TEXT | edit TITLE TEXT | delete TITLE | picture TITLE FILE
                               resolve TITLE mine | theirs | both | MEMBER=TEXT...
            """

        static func main() async throws {
            let words = Array(CommandLine.arguments.dropFirst())
            do {
                guard words.count > 1 else { throw Failure(usage) }
                let blog = try await Blog(routeFile: words[0])
                var status: Int32 = 0
                switch (words[1], words.count) {
                case ("list", 2): try await blog.list()
                case ("sync", 2): status = try await blog.synchronize() ? 0 : 4
                case ("write", 4): try await blog.write(words[2], words[3], at: .now)
                case ("edit", 4): try await blog.edit(words[2], words[3])
                case ("delete", 3): try await blog.delete(words[2])
                case ("picture", 4): try await blog.attach(words[2], file: words[3])
                case ("resolve", 4...): try await blog.resolve(words[2], Array(words[3...]))
                default: throw Failure(usage)
                }
                try await blog.api.close()
                exit(status)
            } catch {
                FileHandle.standardError.write(Data("\(error)\n".utf8))
                exit(1)
            }
        }
    }
#else
    @main struct Program { static func main() { print("SyncBlog needs the default traits") } }
#endif
