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

        @Test("one that has changed since the command began is not run")
        func changed() async throws {
            let workspace = try Workspace()
            let program = try write("#!/bin/sh\necho kept\n", to: "load", in: workspace)
            let tokens = try #require(
                AllowedTokens(of: routeFile(in: workspace, "{ load: [\(program)], save: [cat] }")))
            #expect(try await tokens.load() == Array("kept\n".utf8))
            _ = try write("#!/bin/sh\ntouch \(program).ran; echo other\n", to: "load", in: workspace)
            for change in [
                { _ = try await tokens.load() }, { try await tokens.save([]) }, { try await tokens.remove() }
            ]
                as [() async throws -> Void]
            {
                let error = await #expect(throws: StoreError.self) { try await change() }
                #expect(error?.message.contains("has changed since this command began") == true)
            }
            #expect(!workspace.has("load.ran"))
            _ = try write("#!/bin/sh\necho kept\n", to: "load", in: workspace)
            #expect(try await tokens.load() == Array("kept\n".utf8))
        }

        @Test("where a file keeps the tokens no program is looked at")
        func file() throws {
            let workspace = try Workspace()
            #expect(try AllowedTokens(of: routeFile(in: workspace, "{ file: tokens }")) == nil)
        }
    }
#endif
