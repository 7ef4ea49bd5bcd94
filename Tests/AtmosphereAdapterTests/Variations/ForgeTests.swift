#if YAML
    import Atmosphere
    import AtmosphereTesting
    import Synchronization
    import Testing

    /// A forge: the path of everything below a repository names the repository by two members, which change and go with it.
    @Suite("Paths that name a parent by its members") struct ForgeTests {
        /// Repositories with their issues and the comments of these, in memory.
        private final class Forge: Sendable {
            struct Repo {
                var login: String
                var name: String
                /// The titles by number.
                var issues: [Int: String]
                /// The identifiers of comments by the issue's number.
                var comments: [Int: [Int]]

                func json(_ id: Int) -> String { #"{"id":\#(id),"name":"\#(name)","owner":{"login":"\#(login)"}}"# }
            }

            let repos = Mutex<[Int: Repo]>([
                1: Repo(login: "ann", name: "core", issues: [4: "a"], comments: [4: [11]]),
                2: Repo(login: "org", name: "web", issues: [4: "b"], comments: [4: [12]])
            ])

            var transport: ScriptedTransport {
                ScriptedTransport { request in
                    let body: Value.Members? =
                        if case .bytes(let bytes) = request.body { try? Value(json: bytes).members } else { nil }
                    let path = request.url.dropFirst("https://api.example/v1/".count)
                    let text = self.repos.withLock { repos in
                        Self.answer(request.method, path.split(separator: "/").map(String.init), body, &repos)
                    }
                    return Response(
                        status: text == nil ? 404 : 200, headers: ["Content-Type": "application/json"],
                        body: ResponseBody(Array((text ?? "{}").utf8)))
                }
            }

            func rename(_ id: Int, to name: String) {
                repos.withLock { repos in
                    guard var repo = repos[id] else { return }
                    repo.name = name
                    repos[id] = repo
                }
            }

            private static func list(_ items: [String]) -> String { "[\(items.joined(separator: ","))]" }

            /// - Returns: nil where there is no such thing.
            private static func answer(
                _ method: String, _ path: [String], _ body: Value.Members?, _ repos: inout [Int: Repo]
            ) -> String? {
                if path == ["user", "repos"] {
                    return list(repos.sorted { $0.key < $1.key }.map { $0.value.json($0.key) })
                }
                guard path.count >= 3, path[0] == "repos",
                    let (id, found) = repos.first(where: { $0.value.login == path[1] && $0.value.name == path[2] })
                else { return nil }
                var repo = found
                func issue(_ number: Int) -> String? {
                    repo.issues[number].map { #"{"number":\#(number),"title":"\#($0)"}"# }
                }
                if path.count == 3 { return repo.json(id) }
                if path.count == 4 { return list(repo.issues.keys.sorted().compactMap(issue)) }
                guard let number = Int(path[4]), repo.issues[number] != nil else { return nil }
                let comments = repo.comments[number] ?? []
                switch path.count {
                case 5:
                    if method == "PATCH" {
                        repo.issues[number] = body?["title"]?.string ?? ""
                        repos[id] = repo
                    }
                    return issue(number)
                case 6: return list(comments.map { #"{"id":\#($0)}"# })
                default: return comments.contains(Int(path[6]) ?? 0) ? #"{"id":\#(path[6])}"# : nil
                }
            }
        }

        private let issue = ObjectURI(entity: "issues", id: "2/4")

        private func pulled() async throws -> (Forge, Variation) {
            let forge = Forge()
            let api = try await Variation(
                """
                deletes: absent
                resources:
                  repos:
                    list: { path: user/repos }
                    read: { path: "repos/{login}/{name}" }
                    fields: { login: { read: owner.login } }
                    create: null
                    update: null
                    delete: null
                    version: none
                  issues:
                    path: repos/{repos.login}/{repos.name}/issues
                    parent: { repos: repo_id }
                    id: number
                    ids: per-parent
                    update: { method: PATCH, body: changed }
                    version: none
                  comments:
                    path: repos/{repos.login}/{repos.name}/issues/{issues.number}/comments
                    parent: { repos: repo_id, issues: issue_number }
                    ids: per-parent
                    version: none
                """, transport: forge.transport)
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            #expect(
                try await ids(api) == ["repos/1", "repos/2", "issues/1/4", "issues/2/4"] + comments(1) + comments(2))
            return (forge, api)
        }

        private func comments(_ repo: Int) -> [String] { ["comments/\(repo)/4/\(repo + 10)"] }

        private func ids(_ api: Variation) async throws -> [String] {
            var found: [String] = []
            for entity in ["repos", "issues", "comments"] {
                found += try await api.synchronizer.records(matching: Query(entity)).map(\.uri.description).sorted()
            }
            return found
        }

        @Test("what was below a repository that is gone goes with it")
        func gone() async throws {
            let (forge, api) = try await pulled()
            forge.repos.withLock { $0[2] = nil }
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            #expect(try await ids(api) == ["repos/1", "issues/1/4"] + comments(1))
            #expect(try await api.synchronizer.pull().isComplete)
        }

        @Test(
            "an edited issue of a repository that is gone is a conflict, for which its comments wait",
            arguments: [true, false])
        func edited(pullsFirst: Bool) async throws {
            let (forge, api) = try await pulled()
            try await api.synchronizer.edit(issue, setting: [("title", "mine")])
            forge.repos.withLock { $0[2] = nil }
            if pullsFirst { #expect(try await api.synchronizer.pull().isComplete) }
            try await api.synchronizer.push()
            #expect(try await api.synchronizer.conflicts().map(\.uri) == [issue], "\(api.sent)")
            for _ in 1...2 {
                let report = try await api.synchronizer.pull()
                #expect(report.isComplete, "\(report)")
                let warnings = report.entities["comments"]?.warnings ?? []
                #expect(warnings.contains { $0.contains("comments wait for that decision") }, "\(report)")
            }
            try await api.synchronizer.resolve(issue, .theirs)
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            #expect(try await ids(api) == ["repos/1", "issues/1/4"] + comments(1))
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        @Test("an edit below a repository that was renamed waits for the pull that brings the name, and is sent then")
        func renamed() async throws {
            let (forge, api) = try await pulled()
            try await api.synchronizer.edit(issue, setting: [("title", "mine")])
            forge.rename(2, to: "site")
            try await api.synchronizer.push()
            #expect(try await api.synchronizer.conflicts().isEmpty)
            #expect(try await api.synchronizer.rejected().isEmpty, "\(api.sent)")
            #expect(try await api.synchronizer.pending().map(\.uri) == [issue])
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            let warnings = report.entities["issues"]?.warnings ?? []
            #expect(warnings.contains { $0.contains("a parent that the path names has") }, "\(report)")
            #expect(!warnings.contains { $0.contains("the route file asks for another list") }, "\(report)")
            #expect(try await api.synchronizer.push().updated == 1)
            let title = forge.repos.withLock { $0[2]?.issues[4] }
            #expect(title == "mine")
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        @Test("a deleted issue of a repository that is gone is gone, and nothing of it waits")
        func deleted() async throws {
            let (forge, api) = try await pulled()
            try await api.synchronizer.delete(issue)
            forge.repos.withLock { $0[2] = nil }
            #expect(try await api.synchronizer.pull().isComplete)
            try await api.synchronizer.push()
            #expect(try await api.synchronizer.pull().isComplete)
            #expect(try await ids(api) == ["repos/1", "issues/1/4"] + comments(1))
            #expect(try await api.synchronizer.pending().isEmpty)
        }
    }
#endif
