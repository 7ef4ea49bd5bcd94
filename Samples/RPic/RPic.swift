// The condition is for this repository alone, which is also built without its adapters.
#if Command
    import Atmosphere
    import AtmosphereCloudKit
    import AtmosphereCurl
    import AtmosphereDjangoREST
    import AtmosphereSQLite
    import AtmosphereYAML
    import Foundation

    /// Pictures of everybody; all but `signIn`, `synchronize` and the first `save` of a picture without a network.
    struct Album {
        let api: Synchronizer
        let pictures: Objects<Picture>

        init(routeFile: String) async throws {
            api = try await Synchronizer.open(routeFile, adapters: [.yaml, .djangoREST, .cloudKit, .curl, .sqlite])
            pictures = api.objects(Picture.self, in: "pictures", coding: RecordCoding(keys: .snakeCase))
        }

        /// Asks for what the route file wants typed. The server is asked before anything is kept.
        func signIn() async throws {
            var answers: [String: String] = [:]
            let isTerminal = isatty(0) == 1
            for question in api.signInQuestions {
                if isTerminal, question.isSecret {
                    answers[question.name] = String(cString: getpass("\(question.name): "))
                } else {
                    if isTerminal { print("\(question.name): ", terminator: "") }
                    answers[question.name] = readLine()
                }
            }
            let state = try await api.signIn(answers: answers)
            print("signed in, by \(state.verifiedBy ?? "no request")")
        }

        func take(_ file: String, _ title: String, at place: Position, _ moment: Date) async throws {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
            let uri = try await pictures.create(
                Picture(
                    title: title, taken: moment, latitude: place.latitude, latitudeRef: place.latitudeRef,
                    longitude: place.longitude, longitudeRef: place.longitudeRef))
            let content = AttachmentContent(bytes, fileName: "picture.jpg", mediaType: "image/jpeg")
            try await pictures.attach(content, as: "picture", to: uri)
        }

        /// The newest first: ✓ as the server has it, ↑ to be sent, C in conflict, ! refused.
        func list() async throws {
            for picture in try await pictures.matching(order: [.init("taken", ascending: false)]) {
                let sign =
                    switch picture.status {
                    case .synchronized: "✓"
                    case .conflicted: "C"
                    case .rejected: "!"
                    case .waiting, .sending, .unknown: "↑"
                    }
                let model = picture.model
                let place = [model.latitude, model.latitudeRef, model.longitude, model.longitudeRef].compactMap { $0 }
                let words = [sign, model.taken.formatted(.iso8601), "“\(model.title)”"] + place + [model.user ?? "me"]
                print(words.joined(separator: " "))
            }
        }

        func rename(_ title: String, _ new: String) async throws {
            try await pictures.edit(try await picture(title).uri) { $0.title = new }
        }

        func delete(_ title: String) async throws { try await pictures.delete(try await picture(title).uri) }

        /// What was read once is there without a network, too.
        func save(_ title: String, to file: String) async throws {
            let content = try await api.content(of: "picture", at: try await picture(title).uri)
            let bytes = try await content.bytes.collect(upTo: 64 << 20)
            try Data(bytes).write(to: URL(fileURLWithPath: file))
            print("\(file): \(bytes.count) bytes")
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
            for object in try await api.rejected() {
                if case .rejected(let change, let failure) = object.status {
                    print("refused: the \(change.rawValue) of \(object.uri): \(failure.message)")
                }
            }
            let count = try await pictures.count()
            let waiting = try await api.pending().filter { !$0.status.needsDecision }.count
            print("pictures: \(count)\(waiting > 0 ? ", \(waiting) to be sent" : "")")
            return later == nil && report.pull?.isComplete == true
        }

        /// Takes back what the server has refused.
        func undo() async throws {
            for object in try await api.rejected() { try await api.discard(object.uri) }
        }

        private func picture(_ title: String) async throws -> TypedObject<Picture> {
            let found = try await pictures.matching(Query.Field("title") == .string(title))
            guard let picture = found.first else { throw Failure("there is no picture “\(title)”") }
            guard found.count == 1 else { throw Failure("there are \(found.count) pictures “\(title)”") }
            return picture
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    @main struct Program {
        static let usage = """
            RPic ROUTEFILE login | sync | list | take FILE TITLE [22.9519S,43.2105W] | title TITLE NEW
                           save TITLE FILE | delete TITLE | undo
            take takes --at 2026-11-23T09:00:00Z
            """

        static func main() async throws {
            var words = Array(CommandLine.arguments.dropFirst())
            var moment = Date.now
            do {
                if let place = words.firstIndex(of: "--at"), place + 1 < words.count {
                    guard let given = try? Date(words[place + 1], strategy: .iso8601) else {
                        throw Failure("--at \(words[place + 1]) is no time")
                    }
                    moment = given
                    words.removeSubrange(place...(place + 1))
                }
                guard words.count > 1 else { throw Failure(usage) }
                let album = try await Album(routeFile: words[0])
                var status: Int32 = 0
                switch (words[1], words.count) {
                case ("login", 2): try await album.signIn()
                case ("sync", 2): status = try await album.synchronize() ? 0 : 4
                case ("list", 2): try await album.list()
                case ("take", 4): try await album.take(words[2], words[3], at: .impa, moment)
                case ("take", 5): try await album.take(words[2], words[3], at: Position(words[4]), moment)
                case ("title", 4): try await album.rename(words[2], words[3])
                case ("save", 4): try await album.save(words[2], to: words[3])
                case ("delete", 3): try await album.delete(words[2])
                case ("undo", 2): try await album.undo()
                default: throw Failure(usage)
                }
                try await album.api.close()
                exit(status)
            } catch {
                FileHandle.standardError.write(Data("\(error)\n".utf8))
                exit(1)
            }
        }
    }
#else
    @main struct Program { static func main() { print("RPic needs the default traits") } }
#endif
