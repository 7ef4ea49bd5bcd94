#if Command
    import Atmosphere
    import AtmosphereDjangoREST
    import AtmosphereSource
    import AtmosphereYAML
    import Testing

    @Suite("Parents three levels deep, with identifiers unique per parent", .timeLimit(.minutes(5)))
    struct ThreeLevelTests {
        private static func routeFile(base: String) -> String {
            """
            atmosphere: 1
            style: django-rest
            base: \(base)
            limits: { attempts: 1 }
            deletes: absent
            resources:
              orgs: {}
              repos:
                path: orgs/{orgs.id}/repos
                parent: { orgs: org }
                ids: per-parent
              issues:
                path: orgs/{orgs.id}/repos/{repos.id}/issues
                parent: { orgs: org, repos: repo }
                ids: per-parent

            """
        }

        /// Organizations 1 and 2, each with repositories 1 and 2, numbered by the server over all.
        private func serving(_ body: (RESTSource, Workspace) async throws -> Void) async throws {
            let text = Self.routeFile(base: "http://127.0.0.1/api")
            let file = try RouteFile.load(bytes: Array(text.utf8), source: "git.yaml", adapters: [.yaml, .djangoREST])
            let source = try RESTSource(routeFile: file)
            for org in ["acme", "beta"] { try source.add("orgs", ["title": .string(org)]) }
            for (org, title) in [(1, "core"), (2, "core"), (2, "web")] as [(Int, String)] {
                try source.add("repos", ["org": .init(integerLiteral: org), "title": .string(title)])
            }
            try await source.withServer { url in
                let workspace = try Workspace()
                try workspace.write(Self.routeFile(base: url), to: "atmosphere.yaml")
                let pull = try await workspace.atmos("pull")
                #expect(pull.status == 0, "\(pull)")
                try await body(source, workspace)
            }
        }

        @Test("a new object below a new repository of a new organization is sent with their real identifiers")
        func offline() async throws {
            try await serving { source, workspace in
                func made(_ arguments: String...) async throws -> String {
                    let run = try await workspace.start(["create"] + arguments).end()
                    #expect(run.status == 0, "\(run)")
                    return run.lines[0]
                }
                let org = try await made("orgs", "title=New")
                let orgID = String(org.dropFirst("orgs/".count))
                let repo = try await made("repos", "org=\(orgID)", "title=fresh")
                let repoID = String(repo.split(separator: "/").last ?? "")
                // The repository's name alone leaves no choice.
                let issue = try await made("issues", "repo=\(repoID)", "title=first")
                #expect(issue.hasPrefix("issues/\(orgID)/\(repoID)/"), "\(issue)")
                let second = try await made("issues", "org=\(orgID)", "repo=\(repoID)", "title=second")
                #expect(second.hasPrefix("issues/\(orgID)/\(repoID)/"), "\(second)")
                let push = try await workspace.atmos("push")
                #expect(push.status == 0, "\(push)")
                let issues = source.objects("issues").map(\.members)
                #expect(issues.compactMap { $0["title"]?.text }.sorted() == ["first", "second"])
                #expect(issues.allSatisfy { $0["org"] == 3 && $0["repo"] == 4 }, "\(issues)")
                let again = try await workspace.atmos("pull")
                #expect(again.status == 0, "\(again)")
                #expect(try await workspace.atmos("get", "issues/3/4/1").status == 0)
            }
        }

        @Test("a repository that stands below another organization is refused, with what there is")
        func contradiction() async throws {
            try await serving { source, workspace in
                let run = try await workspace.atmos("create", "issues", "org=1", "repo=3", "title=x")
                #expect(
                    run
                        == .init(
                            1,
                            errors:
                                "atmos: the “repo” of a new object of issues is 3, and there is no such object of repos "
                                + "below org=1 here; there is repos/2/3: name its parents, or another\n"))
                try await isUntouched(source, workspace)
            }
        }

        @Test("parents that are not here are refused, and the remedy is told")
        func absence() async throws {
            try await serving { source, workspace in
                let repo = try await workspace.atmos("create", "issues", "org=1", "repo=99", "title=x")
                #expect(
                    repo
                        == .init(
                            1,
                            errors: "atmos: the “repo” of a new object of issues is 99, and there is no such object of "
                                + "repos below org=1 here; check the identifier, or run atmos pull repos first\n"))
                let org = try await workspace.atmos("create", "repos", "org=77", "title=x")
                #expect(
                    org
                        == .init(
                            1,
                            errors:
                                "atmos: the “org” of a new object of repos is 77, and there is no such object of orgs "
                                + "here; check the identifier, or run atmos pull orgs first\n"))
                let both = try await workspace.atmos("create", "issues", "org=77", "repo=1", "title=x")
                #expect(both.status == 1 && both.errors.contains("repo"), "\(both)")
                try await isUntouched(source, workspace)
            }
        }

        @Test("a name that several have is refused with the candidates, and accepted with the parent")
        func ambiguity() async throws {
            let text = Self.routeFile(base: "http://127.0.0.1:1/api")
                .replacing("orgs: {}", with: "orgs: { id: { field: key, assigned: client } }")
                .replacing("  repos:\n", with: "  repos:\n    id: { field: name, assigned: client }\n")
            let workspace = try Workspace()
            try workspace.write(text, to: "atmosphere.yaml")
            for org in ["a", "b"] {
                #expect(try await workspace.atmos("create", "orgs", "key=\(org)") == .init(0, "orgs/\(org)\n"))
                let made = try await workspace.atmos("create", "repos", "org=\(org)", "name=same")
                #expect(made == .init(0, "repos/\(org)/same\n"), "\(made)")
            }
            let run = try await workspace.atmos("create", "issues", "repo=same", "title=x")
            #expect(
                run
                    == .init(
                        1,
                        errors: "atmos: the “repo” of a new object of issues could be any of repos/a/same, "
                            + "repos/b/same; say which with “org”\n"))
            let clear = try await workspace.atmos("create", "issues", "org=b", "repo=same", "title=x")
            #expect(clear.status == 0 && clear.output.hasPrefix("issues/b/same/"), "\(clear)")
        }

        private func isUntouched(_ source: RESTSource, _ workspace: Workspace) async throws {
            #expect(source.objects("issues").isEmpty)
            #expect(try await workspace.atmos("diff") == .init(0, "nothing to send\n"))
        }
    }
#endif
