#if Command
    import Atmosphere

    /// Small descriptions in the four notations, with a place for each word of a server's own.
    struct DescribedAPI: Sendable, CustomStringConvertible {
        let name: String
        /// JSON; `@place@` stands for a word.
        private let template: String
        /// The usual words.
        let words: [String: String]
        /// Places whose words become no setting.
        let silent: Set<String>

        var description: String { name }
        var places: [String] { words.keys.sorted() }

        /// - Parameter own: in the place of the usual words.
        func json(_ own: [String: String] = [:]) -> String {
            var text = template
            for (place, usual) in words {
                let json = String(
                    decoding: Value.string(own[place] ?? usual).json().dropFirst().dropLast(), as: UTF8.self)
                text = text.replacing("@\(place)@", with: json)
            }
            return text
        }

        static let all = [openAPI, swagger, wordPress, google]

        static let openAPI = DescribedAPI(
            name: "OpenAPI",
            template: """
                {"openapi": "3.1.0", "info": {"title": "@title@"}, "security": [{"@scheme@": ["@scope@"]}, {"named": []}],
                 "servers": [{"url": "@server@", "variables": {"host": {"default": "@variable@"}}}, {"url": "@other@"}],
                 "components": {"schemas": {"Thing": {"type": "object", "properties": {"id": {"type": "integer"},
                     "@member@": {"type": "string", "format": "@format@"}, "etag": {"type": "string"}}}},
                   "securitySchemes": {"named": {"type": "apiKey", "in": "header", "name": "@header@"},
                     "@scheme@": {"type": "oauth2", "flows": {"authorizationCode": {"scopes": {"@scope@": ""},
                       "authorizationUrl": "https://login.example.com/authorize", "tokenUrl": "@endpoint@"}}}}},
                 "paths": {
                   "/@path@": {"get": {"parameters": [{"name": "@parameter@", "in": "query", "schema": {"type": "string"}},
                       {"name": "state", "in": "query", "schema": {"type": "string", "default": "open",
                         "enum": ["all", "@choice@"]}}], "responses": {"200": {"content": {"@type@": {"schema":
                       {"type": "object", "properties": {"@wrapper@": {"type": "array",
                         "items": {"$ref": "#/components/schemas/Thing"}}}}}}}}},
                     "post": {"requestBody": {"content": {"@type@": {"schema": {"$ref": "@reference@"}}}},
                       "responses": {"201": {"content": {"@type@": {"schema": {"$ref": "@reference@"}}}}}}},
                   "/@path@/{@place@}": {"get": {"responses": {"200": {"content": {"application/json":
                       {"schema": {"$ref": "@reference@"}}}}}}, "delete": {"responses": {"204": {}}}},
                   "/@path@/{@place@}/@action@": {"post": {"responses": {"204": {}}}},
                   "/@left@/status": {"get": {"responses": {"200": {}}}}}}
                """,
            words: [
                "title": "Things", "scheme": "own", "scope": "things.write", "server": "https://{host}/v1",
                "variable": "api.example.com", "other": "https://other.example.com", "member": "harmless",
                "format": "date",
                "header": "X-Key", "endpoint": "https://login.example.com/token", "path": "things", "place": "thing_id",
                "parameter": "colour", "choice": "open", "type": "application/json", "wrapper": "rows",
                "reference": "#/components/schemas/Thing", "action": "archive", "left": "health"
            ], silent: ["title", "other", "parameter", "left"])

        static let swagger = DescribedAPI(
            name: "Swagger",
            template: """
                {"swagger": "2.0", "info": {"title": "@title@"}, "host": "@host@", "basePath": "@basePath@",
                 "schemes": ["@protocol@"], "consumes": ["@type@"], "security": [{"k": []}],
                 "securityDefinitions": {"k": {"type": "apiKey", "in": "query", "name": "@key@"}},
                 "definitions": {"Thing": {"type": "object", "properties": {"id": {"type": "string"},
                   "@member@": {"type": "string", "format": "date-time"}}}},
                 "paths": {"/things": {
                     "get": {"responses": {"200": {"schema": {"type": "array", "items": {"$ref": "#/definitions/Thing"}}}}},
                     "post": {"parameters": [{"in": "body", "name": "b", "schema": {"$ref": "#/definitions/Thing"}}],
                       "responses": {"201": {"schema": {"$ref": "#/definitions/Thing"}}}}},
                   "/things/{id}": {"get": {"responses": {"200": {"schema": {"$ref": "#/definitions/Thing"}}}}}}}
                """,
            words: [
                "title": "Things", "host": "api.example.com", "basePath": "/v1", "protocol": "https",
                "type": "application/json", "key": "api_key", "member": "harmless"
            ], silent: ["title"])

        static let wordPress = DescribedAPI(
            name: "WordPress",
            template: """
                {"name": "@title@", "namespaces": ["wp/v2"], "routes": {
                   "/wp/v2/@route@": {"_links": {"self": [{"href": "@link@/wp/v2/@route@"}]}, "endpoints": [
                     {"methods": ["GET"], "args": {"page": {"type": "integer"}, "per_page": {"type": "integer"}}},
                     {"methods": ["POST", "@method@"], "args": {"slug": {"type": "string"},
                       "@member@": {"type": "boolean"}}}]},
                   "/wp/v2/@route@/(?P<id>[\\\\d]+)": {"endpoints": [
                     {"methods": ["GET"], "args": {"id": {"type": "integer"}}},
                     {"methods": ["PATCH"], "args": {"slug": {"type": "string"}}}]}}}
                """,
            words: [
                "title": "My site", "route": "posts", "link": "https://blog.example.com/wp-json", "method": "PUT",
                "member": "harmless"
            ], silent: ["title"])

        static let google = DescribedAPI(
            name: "Google",
            template: """
                {"kind": "discovery#restDescription", "title": "@title@", "rootUrl": "@root@", "servicePath": "@service@",
                 "auth": {"oauth2": {"scopes": {"@scope@": {}}}},
                 "schemas": {"List": {"type": "object", "properties": {"items": {"type": "array",
                     "items": {"$ref": "Task"}}}},
                   "Task": {"type": "object", "properties": {"id": {"type": "string"}, "etag": {"type": "string"},
                     "deleted": {"type": "boolean"}, "@member@": {"type": "string", "format": "date-time"}}}},
                 "resources": {"tasks": {"methods": {
                   "@method@": {"httpMethod": "GET", "path": "@path@", "response": {"$ref": "List"},
                     "parameters": {"@flag@": {"type": "boolean", "location": "query"}}},
                   "one": {"httpMethod": "GET", "path": "@path@/{task}", "response": {"$ref": "Task"}},
                   "patch": {"httpMethod": "PATCH", "path": "@path@/{task}", "request": {"$ref": "Task"},
                     "response": {"$ref": "Task"}}}}}}
                """,
            words: [
                "title": "Tasks", "root": "https://tasks.example.com/", "service": "v1/", "method": "list",
                "path": "tasks",
                "scope": "https://example.com/tasks", "flag": "showHidden", "member": "harmless"
            ], silent: ["title", "method"])
    }
#endif
