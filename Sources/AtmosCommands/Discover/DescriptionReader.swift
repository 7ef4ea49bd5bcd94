#if Command
    internal import Atmosphere
    internal import AtmosphereYAML
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    /// Finds an API's description: in a file, at a URL, or at one of the places where servers keep it.
    struct DescriptionReader {
        /// What a server answered.
        struct Answer {
            var status: Int
            var headers: HeaderFields
            var body: [UInt8]
            /// The body as JSON; nil where it is not, or the request did not succeed.
            var value: Value?
            /// Why the body of a success is no JSON, though it is meant to be.
            var mistake: String?
        }

        private let transport: any Transport
        /// Sent with each request to the origin that was named, and to no other.
        private let headers: [NamedText]
        /// The same for the secrets in the query of the URL that was named.
        private let secrets: [URLText.Query.Parameter]
        /// Takes out of what a transport says what was sent: where a server redirects to, for one, is its own word.
        private let redaction: Redaction
        private let origin: String?
        private static let limit = 64 << 20
        /// What frameworks call it: FastAPI and others, drf-spectacular, Springdoc; those of Swagger, Springfox, ASP.NET
        /// and Cornice; WordPress.
        private static let usualPlaces = [
            "openapi.json", "schema/?format=json", "api/schema/?format=json", "v3/api-docs", "swagger.json",
            "v2/api-docs", "swagger/v1/swagger.json", "__api__", "wp-json/"
        ]

        /// - Parameters:
        ///   - headers: what signs in.
        ///   - source: the URL or the path that will be asked for.
        /// - Throws: what the transport throws.
        init(headers: [NamedText] = [], for source: String) throws {
            transport = try [Adapter].linked.transport(for: TransportSettings())
            self.headers = headers
            origin = URLText.origin(source)
            secrets = origin == nil ? [] : URLText.Query(of: source).secrets
            let words = headers.flatMap { [$0.value, String($0.value.drop { $0 != " " }.dropFirst())] }
            redaction = Redaction((words + secrets.map(\.value)).map { Secret($0) })
        }

        /// - Parameter source: a URL or a path.
        /// - Throws: ``CommandFailure`` where nothing can be made of it; `TransportError`.
        func description(_ source: String) async throws -> APIDescription {
            guard URLText.origin(source) != nil else { return try description(file: source) }
            let answer = try await get(source)
            if let document = document(answer, source) {
                if let description = try Self.description(document, url: source) { return description }
                var probe = APIProbe(self)
                return try await probe.describe(document, answer, at: source)
            }
            let bare = String(source.prefix { $0 != "?" && $0 != "#" })
            for place in Self.usualPlaces {
                let url = "\(URLText.trimmed(bare))/\(place)"
                let answer = try await get(url)
                if let document = document(answer, url), let found = try Self.description(document, url: url) {
                    return found
                }
            }
            let shown = URLText.shown(source)
            if answer.status == 401 || answer.status == 403 {
                let how = headers.isEmpty ? "sign in with" : "what was sent is not accepted; check"
                throw CommandFailure(
                    code: "signInNeeded",
                    [
                        "\(shown) answered \(answer.status): \(how) --header 'Authorization: Bearer secret:NAME', or "
                            + "with the header that the API wants; NAME is looked up in the environment"
                    ], status: ExitStatus.network)
            }
            let what =
                answer.mistake.map { "is not JSON: \($0)" }
                ?? ((200...299).contains(answer.status) ? "is neither JSON nor YAML" : "answered \(answer.status)")
            throw CommandFailure(
                code: "unexpectedAnswer",
                [
                    "\(shown) \(what); and no description stands at "
                        + "\(Self.usualPlaces.joined(separator: ", ")) below it; name the URL of the description or of a list"
                ], status: ExitStatus.failed)
        }

        /// Asks for JSON alone: Rails takes a list of types that ends with any for a browser's, and answers 406. Who has
        /// another type of JSON, or YAML, is asked once more for whatever there is.
        func get(_ url: String) async throws -> Answer {
            let answer = try await get(url, accept: "application/json")
            return answer.status == 406 ? try await get(url, accept: "*/*") : answer
        }

        private func get(_ url: String, accept: String) async throws -> Answer {
            var request = Request(method: "GET", url: signed(url))
            request.headers["Accept"] = accept
            if URLText.origin(url) == origin { for header in headers { request.headers[header.name] = header.value } }
            request.maximumResponseBytes = Self.limit
            let response: Response
            var body: [UInt8]
            do {
                response = try await transport.send(request)
                body = try await response.body.collect(upTo: Self.limit)
            } catch let error as TransportError where error.code == .bodyTooLarge {
                throw CommandFailure(
                    code: "bodyTooLarge",
                    [
                        "\(URLText.shown(url)) is larger than \(Self.limit >> 20) MiB; save the description to a file, and "
                            + "name that"
                    ], status: ExitStatus.failed)
            } catch var error as TransportError {
                error.message = redaction(error.message)
                throw error
            }
            // No part of JSON (RFC 8259 §8.1), and servers send it all the same.
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            if body.starts(with: mark) { body.removeFirst(mark.count) }
            var answer = Answer(status: response.status, headers: response.headers, body: body)
            guard (200...299).contains(response.status) else { return answer }
            do {
                answer.value = try Value(json: body)
            } catch {
                let isMeant = body.first { !" \t\r\n".utf8.contains($0) }.map { "{[".utf8.contains($0) } ?? false
                if isMeant { answer.mistake = error.message }
            }
            return answer
        }

        /// A URL of the origin that was named with the secrets of its query, as a route file sends them with each request.
        private func signed(_ url: String) -> String {
            guard URLText.origin(url) == origin else { return url }
            let known = Set(URLText.Query(of: url).parameters.map(\.name))
            let missing = secrets.filter { !known.contains($0.name) }.map(\.text).joined(separator: "&")
            return missing.isEmpty ? url : url + (url.contains("?") ? "&" : "?") + missing
        }

        /// The body as JSON or YAML, whichever it is. Almost any text is YAML, so that of another type counts only where it
        /// describes an API.
        private func document(_ answer: Answer, _ url: String) -> Value? {
            if let value = answer.value { return value }
            guard (200...299).contains(answer.status) else { return nil }
            let type = answer.headers["Content-Type"]?.lowercased() ?? ""
            let isNamed = type.contains("yaml") || type.contains("openapi")
            guard isNamed || Self.mayDescribe(answer.body) else { return nil }
            guard let document = try? Self.yaml(answer.body, source: url) else { return nil }
            let isDescription = document.members?["openapi"] != nil || document.members?["swagger"] != nil
            return isNamed || isDescription ? document : nil
        }

        /// Whether a text is worth reading as YAML: no web page, and one that names a kind of description at its beginning.
        private static func mayDescribe(_ body: [UInt8]) -> Bool {
            let beginning = String(decoding: body.prefix(1 << 16), as: UTF8.self)
            guard beginning.first(where: { !$0.isWhitespace }) != "<" else { return false }
            return beginning.contains("openapi") || beginning.contains("swagger")
        }

        private func description(file path: String) throws -> APIDescription {
            guard let data = FileManager.default.contents(atPath: path) else {
                throw CommandFailure.usage("\(path) cannot be read; name a file that you may read, or a URL")
            }
            let bytes = Array(data)
            let isJSON = bytes.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
            let document: Value
            if isJSON {
                document = try InputArgument.json(fromFile: path)
            } else {
                document = try Self.yaml(bytes, source: path)
            }
            guard let description = try Self.description(document, url: nil) else {
                throw CommandFailure.usage(
                    "\(path) is none of these: OpenAPI 3, Swagger 2, a Google discovery document, the index of a WordPress site"
                )
            }
            return description
        }

        /// - Throws: ``CommandFailure`` with the place, for what is no YAML, or too deep or large.
        static func yaml(_ bytes: [UInt8], source: String) throws -> Value {
            do {
                let limits = YAMLDocumentReader.Limits(
                    depth: 256, nodes: 5_000_000, aliased: 1_000_000, name: "a description")
                return try YAMLDocumentReader(limits: limits).read(bytes, source: source).value
            } catch {
                throw CommandFailure(
                    code: "usage", error.problems.map { "\($0.place): cannot be read: \($0.message)" },
                    status: ExitStatus.usage)
            }
        }

        /// nil for a document that describes no API.
        static func description(_ document: Value, url: String?) throws -> APIDescription? {
            if APIDescription.isGoogle(document) { return APIDescription(google: document) }
            if APIDescription.isSwagger(document) { return APIDescription(swagger: document, url: url) }
            if APIDescription.isWordPress(document) { return APIDescription(wordPress: document, url: url) }
            guard document.members?["openapi"] != nil || document.members?["swagger"] != nil else { return nil }
            return try APIDescription(openAPI: document, url: url)
        }
    }
#endif
