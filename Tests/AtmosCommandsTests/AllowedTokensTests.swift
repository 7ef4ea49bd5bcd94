#if Command
    import Atmosphere
    import Foundation
    import Testing

    @testable import AtmosCommands

    @Suite("Programs that keep tokens") struct AllowedTokensTests {
        private func routeFile(in workspace: Workspace, _ tokens: String) throws -> RouteFile {
            let auth = """
                auth:
                  session: { post: login, fields: { n: a }, token: { body: $.t } }
                  tokens: \(tokens)
                """
            try workspace.write(TestAPI.routeFile(base: "http://127.0.0.1:1/api", top: auth), to: "atmosphere.yaml")
            return try RouteFile.load(
                path: workspace.folder.appendingPathComponent("atmosphere.yaml").path, adapters: .linked)
        }

        private func write(_ script: String, to name: String, in workspace: Workspace) throws -> String {
            try workspace.write(script, to: name)
            let path = workspace.folder.appendingPathComponent(name).path
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
            return path
        }

        @Test("one that has changed since it was allowed is not run, unless it is allowed as it is then")
        func changed() async throws {
            let workspace = try Workspace()
            let person = ["XDG_CONFIG_HOME": workspace.folder.path]
            func allow(_ routeFile: RouteFile) throws {
                try Allowances(person).add(routeFile.allowance(#require(routeFile.powersDigest)))
            }
            let program = try write("#!/bin/sh\necho kept\n", to: "load", in: workspace)
            let file = try routeFile(in: workspace, "{ load: [\(program)], save: [cat] }")
            try allow(file)
            let tokens = try #require(AllowedTokens(of: file, trusted: false, environment: person))
            #expect(try await tokens.load() == Array("kept\n".utf8))
            _ = try write("#!/bin/sh\ntouch \(program).ran; echo other\n", to: "load", in: workspace)
            let uses: [() async throws -> Void] = [
                { _ = try await tokens.load() }, { try await tokens.save([]) }, { try await tokens.remove() }
            ]
            for use in uses {
                let error = await #expect(throws: StoreError.self) { try await use() }
                #expect(error?.message.contains("has changed since it was allowed") == true)
            }
            #expect(!workspace.has("load.ran"))
            try allow(file)
            #expect(try await tokens.load() == Array("other\n".utf8))
            #expect(workspace.has("load.ran"))
        }

        @Test("where whoever started the command trusts the file, its programs may change")
        func trusted() async throws {
            let workspace = try Workspace()
            let program = try write("#!/bin/sh\necho kept\n", to: "load", in: workspace)
            let file = try routeFile(in: workspace, "{ load: [\(program)], save: [cat] }")
            let tokens = try #require(AllowedTokens(of: file, trusted: true, environment: [:]))
            _ = try write("#!/bin/sh\necho other\n", to: "load", in: workspace)
            #expect(try await tokens.load() == Array("other\n".utf8))
        }

        @Test("where a file keeps the tokens no program is looked at")
        func file() throws {
            let workspace = try Workspace()
            #expect(try AllowedTokens(of: routeFile(in: workspace, "{ file: tokens }"), trusted: false) == nil)
        }
    }
#endif
