#if Command
    import Atmosphere
    import Foundation
    import Testing

    /// What a description says of signing in becomes a route file that `atmos login` can use.
    @Suite("discover: signing in", .timeLimit(.minutes(5))) struct DiscoverSignInTests {
        private static func document(flows: String, security: String) -> String {
            """
            {"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"},
             "servers": [{"url": "https://api.example.com/v1"}],
             "security": [{"own": \(security)}],
             "components": {"securitySchemes": {"own": {"type": "oauth2", "flows": \(flows)}}},
             "paths": {"/orders": {"get": {"responses": {"200": {"description": "All", "content": {"application/json":
               {"schema": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"},
               "title": {"type": "string"}}}}}}}}}},
               "/orders/{id}": {"get": {"responses": {"200": {"description": "One"}}}}}}
            """
        }

        private static let code = """
            "authorizationCode": {"authorizationUrl": "https://login.example.com/authorize",
            "tokenUrl": "/oauth/token", "scopes": {"read": "See", "write": "Change"}}
            """

        private static let cases: [(flows: String, security: String, lines: [String])] = [
            (
                "{\(code)}", #"["read"]"#,
                [
                    "grant: authorization_code", "authorize: \"https://login.example.com/authorize\"",
                    "token: \"https://api.example.com/oauth/token\"", "scopes: [read]", "id: \"secret:CLIENT_ID\""
                ]
            ),
            (
                #"{"clientCredentials": {"tokenUrl": "https://login.example.com/token", "scopes": {}}, \#(code)}"#,
                "[]", ["grant: authorization_code", "scopes: [read, write]"]
            ),
            (
                #"{"clientCredentials": {"tokenUrl": "https://login.example.com/token", "scopes": {}}}"#, "[]",
                ["grant: client_credentials", "secret: \"secret:CLIENT_SECRET\""]
            ),
            (
                """
                {"deviceAuthorization": {"deviceAuthorizationUrl": "https://login.example.com/device",
                "tokenUrl": "https://login.example.com/token", "scopes": {}}}
                """, "[]", ["grant: device_code", "device: \"https://login.example.com/device\""]
            ),
            (
                #"{"password": {"tokenUrl": "https://login.example.com/token", "scopes": {}}}"#, "[]",
                ["bearer: \"secret:API_TOKEN\"", "auth.session gets one with a name and a password"]
            ),
            // Secrets do not go over the network in the clear.
            (
                #"{"clientCredentials": {"tokenUrl": "http://login.example.com/token", "scopes": {}}}"#, "[]",
                ["bearer: \"secret:API_TOKEN\"", "an access token that you have from elsewhere"]
            )
        ]

        @Test("a flow of OAuth 2 becomes auth.oauth2, and the file is valid", arguments: cases)
        func flow(_ flows: String, _ security: String, _ lines: [String]) async throws {
            let workspace = try Workspace()
            try workspace.write(Self.document(flows: flows, security: security), to: "api.json")
            let run = try await workspace.atmos("discover", "api.json", "-c", "shop.yaml")
            #expect(run.status == 0, "\(run)")
            let text = try workspace.read("shop.yaml")
            for line in lines { #expect(text.contains(line), "\(line) in \(text)") }
            #expect(try await workspace.atmos("validate", "-c", "shop.yaml").status == 0, "\(text)")
        }

        @Test(
            "the secret that --header names is the one of the file, where the description signs in that way",
            arguments: [
                (#"{"type": "http", "scheme": "bearer"}"#, "Authorization: Bearer", #"{ bearer: "secret:MINE" }"#),
                (
                    #"{"type": "apiKey", "in": "header", "name": "X-API-KEY"}"#, "X-Api-Key:",
                    #"{ key: { header: X-Api-Key, value: "secret:MINE" } }"#
                ),
                (
                    #"{"type": "apiKey", "in": "header", "name": "Authorization"}"#, "Authorization: Bearer",
                    #"{ bearer: "secret:MINE" }"#
                ),
                (#"{"type": "http", "scheme": "bearer"}"#, "X-Tenant:", #"{ bearer: "secret:API_TOKEN" }"#),
                (
                    #"{"type": "http", "scheme": "basic"}"#, "Authorization: Bearer",
                    #"{ basic: { username: "secret:API_USER", password: "secret:API_PASSWORD" } }"#
                )
            ])
        func own(_ scheme: String, _ header: String, _ auth: String) async throws {
            let workspace = try Workspace()
            let flows = #""type": "oauth2", "flows": {}"#
            let document = Self.document(flows: "{}", security: "[]")
            #expect(document.contains("{\(flows)}"))
            try workspace.write(document.replacing("{\(flows)}", with: scheme), to: "api.json")
            let run = try await workspace.atmos(
                "discover", "api.json", "-c", "shop.yaml", "--header", "\(header) secret:MINE",
                environment: ["MINE": "s3same-0123"])
            #expect(run.status == 0, "\(run)")
            let text = try workspace.read("shop.yaml")
            #expect(text.contains("\nauth: \(auth)\n") && !text.contains("s3same"), "\(text)")
            #expect(text.contains("What --header said.") == auth.contains("secret:MINE"), "\(text)")
        }

        @Test("a discovery document of Google's becomes a file that logs in with a client of one's own")
        func google() async throws {
            let workspace = try Workspace()
            try workspace.write(
                """
                {"kind": "discovery#restDescription", "title": "Notes", "rootUrl": "https://notes.googleapis.com/",
                 "servicePath": "", "auth": {"oauth2": {"scopes": {"https://example.com/auth/notes.readonly": {},
                 "https://example.com/auth/notes": {}}}},
                 "schemas": {"Notes": {"id": "Notes", "type": "object", "properties": {"items": {"type": "array",
                   "items": {"$ref": "Note"}}, "nextPageToken": {"type": "string"}}},
                   "Note": {"id": "Note", "type": "object", "properties": {"id": {"type": "string"}}}},
                 "resources": {"notes": {"methods": {
                   "list": {"id": "notes.list", "path": "v1/notes", "httpMethod": "GET",
                     "parameters": {"pageToken": {"type": "string", "location": "query"}},
                     "response": {"$ref": "Notes"}},
                   "get": {"id": "notes.get", "path": "v1/notes/{note}", "httpMethod": "GET",
                     "parameters": {"note": {"type": "string", "location": "path", "required": true}},
                     "response": {"$ref": "Note"}}}}}}
                """, to: "notes.json")
            let run = try await workspace.atmos("discover", "notes.json", "-c", "notes.yaml")
            #expect(run.status == 0, "\(run)")
            let text = try workspace.read("notes.yaml")
            #expect(text.contains("scopes: [\"https://example.com/auth/notes\"]"), "\(text)")
            #expect(text.contains("access_type: offline"), "\(text)")
            #expect(try await workspace.atmos("validate", "-c", "notes.yaml").status == 0, "\(text)")
        }
    }
#endif
