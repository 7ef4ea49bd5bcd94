#if Command
    import Atmosphere
    import Foundation
    import Testing

    /// What a description's paths, and the answers of an API without one, say of its resources.
    @Suite("discover: shapes", .timeLimit(.minutes(5))) struct DiscoverShapeTests {
        @Test("objects that are listed below their parent and stand beside it are one resource")
        func shallow() async throws {
            let workspace = try Workspace()
            let note = #"{"type": "object", "properties": {"id": {"type": "integer"}, "text": {"type": "string"}}}"#
            func answer(_ schema: String) -> String {
                #""responses": {"200": {"description": "", "content": {"application/json": {"schema": \#(schema)}}}}"#
            }
            try workspace.write(
                """
                {"openapi": "3.1.0", "info": {"title": "Lists", "version": "1"},
                 "servers": [{"url": "https://api.example.com/v1"}],
                 "components": {"schemas": {"HTTPValidationError": {"type": "object"}}},
                 "paths": {
                   "/lists": {"get": {\(answer(#"{"type": "array", "items": \#(note)}"#))}},
                   "/lists/{list_id}": {"get": {\(answer(note))}},
                   "/lists/{list_id}/notes": {"get": {\(answer(#"{"type": "array", "items": \#(note)}"#))},
                     "post": {\(answer(note))}},
                   "/notes/{note_id}": {"get": {\(answer(note))}, "put": {\(answer(note))}, "delete": {}}
                 }}
                """, to: "api.json")
            let run = try await workspace.atmos("discover", "api.json", "-c", "lists.yaml")
            #expect(run.status == 0, "\(run)")
            let text = try workspace.read("lists.yaml")
            for line in [
                "read: { path: \"notes/{id}\" }", "update: { path: \"notes/{id}\" }",
                "delete: { path: \"notes/{id}\" }",
                "# ids: per-parent", "fields: $.detail", "field: \"loc[1]\""
            ] { #expect(text.contains(line), "\(line) in \(text)") }
            #expect(!text.contains("left out"), "\(text)")
            #expect(try await workspace.atmos("validate", "-c", "lists.yaml").status == 0, "\(text)")
        }
    }
#endif
