package import Atmosphere
internal import AtmosphereReports

/// What the gateway answers, whatever server brings the requests.
package final class GatewayService: Sendable {
    package let synchronizer: Synchronizer
    let options: Gateway.Options
    let network: OfflineSwitch?
    let environment: SyncEnvironment
    package let hub: EventHub
    let signIns: SignInDesk
    /// Wakes what synchronizes by itself after somebody has signed in.
    let onSignIn: @Sendable () -> Void
    /// Tells this local copy from others, so that what a page keeps for it goes to no other: of another API, by another route
    /// file, or in another place.
    let copy: String
    private let access: Access
    private let pages: Pages
    private let routes: [Route]

    /// - Parameter port: the one that was bound.
    package init(
        _ synchronizer: Synchronizer, options: Gateway.Options, port: Int, token: GatewayToken, once: OneTimeToken,
        network: OfflineSwitch?, environment: SyncEnvironment, onSignIn: @escaping @Sendable () -> Void = {}
    ) {
        self.synchronizer = synchronizer
        self.options = options
        self.network = network
        self.environment = environment
        self.onSignIn = onSignIn
        hub = EventHub(
            run: GatewayToken(random: environment).text.prefix(12).description, most: options.eventStreams,
            perCaller: options.eventStreamsPerCaller)
        signIns = SignInDesk()
        access = Access(options, port: port, token: token, once: once)
        pages = Pages(folder: options.pages)
        copy = Self.copy(of: synchronizer.routeFile)
        routes = Route.all
    }

    private static func copy(of routeFile: RouteFile) -> String {
        let path = routeFile.store.location(beside: routeFile.source).path
        let parts = [routeFile.name, routeFile.base, routeFile.store.kind, FilePlace.destination(path) ?? path]
        var digest = SHA256Digest()
        digest.update(Array(parts.joined(separator: "\n").utf8))
        return String(digest.finish().prefix(32))
    }

    /// Ends readers of events and what waits for a person.
    package func end() {
        hub.finish()
        _ = signIns.cancel()
    }

    // MARK: Answering

    /// Every request has an answer.
    package func answer(_ request: GatewayRequest) async -> GatewayAnswer {
        var origin: String?
        var answer: GatewayAnswer
        do throws(Problem) {
            origin = try access.checkOrigin(request)
            answer = try await self.answer(request, origin)
        } catch {
            answer = ProblemPage.isWanted(by: request) ? ProblemPage.answer(error) : error.answer
        }
        if request.method == "HEAD" { answer = Self.headOnly(answer) }
        for (name, value) in Self.headers where answer.headers[name] == nil { answer.headers[name] = value }
        if let origin {
            answer.headers["Access-Control-Allow-Origin"] = origin
            answer.headers["Access-Control-Expose-Headers"] = "Content-Location, ETag, Location, Content-Range"
            answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
            answer.headers.append("Vary", "Origin")
        }
        return answer
    }

    /// Whether a sender who waits to be asked for the body (`Expect: 100-continue`, RFC 9110 §10.1.1) is to send it: one whom
    /// an answer without it tells all is not.
    package func wantsBody(of request: GatewayRequest) -> Bool {
        do throws(Problem) {
            _ = try access.caller(of: request, access.checkOrigin(request))
            return request.length ?? 0 <= max(options.contentBytes, Int64(options.bodyBytes))
        } catch {
            return false
        }
    }

    private func answer(_ request: GatewayRequest, _ origin: String?) async throws(Problem) -> GatewayAnswer {
        if let preflight = access.preflight(request, origin) { return preflight }
        let place = try RequestPlace(request.target)
        if let entered = try access.enter(request, place) { return entered }
        let caller = try access.caller(of: request, origin)
        if Pages.holds(place) { return try pages.answer(request, place) }
        let (route, places) = try route(for: request, place)
        try checkQuery(place.query, of: route)
        let call = GatewayCall(
            service: self, request: request, caller: caller, places: places, query: place.query)
        do {
            return try await route.run(call)
        } catch {
            throw Problem(error, synchronizer.redacted)
        }
    }

    /// - Throws: ``Problem`` 404, or 405 for a method that the path does not have.
    private func route(
        for request: GatewayRequest, _ place: RequestPlace
    ) throws(Problem) -> (Route, [String: String]) {
        let method = request.method == "HEAD" ? "GET" : request.method
        var others: [String] = []
        for route in routes {
            guard let places = route.places(in: place.segments) else { continue }
            if route.method == method { return (route, places) }
            others += route.method == "GET" ? ["GET", "HEAD"] : [route.method]
        }
        guard others.isEmpty else {
            var problem = Problem(
                .methodNotAllowed, "method", "this path takes \(others.joined(separator: ", ")) and nothing else")
            problem.headers = ["Allow": others.joined(separator: ", ")]
            problem.closes = true
            throw problem
        }
        throw Problem(.notFound, "notFound", "the gateway has no such path; /v1/openapi.json lists all of them")
    }

    private func checkQuery(_ query: [(name: String, value: String)], of route: Route) throws(Problem) {
        let known = route.parameters.filter { $0.place == "query" }
        for (name, value) in query {
            // The parameters of a view have names of their own.
            if name.hasPrefix("parameter."), known.contains(where: { $0.name == "view" }) { continue }
            guard let parameter = known.first(where: { $0.name == name }) else {
                let near = NearestName.of(name, among: known.map(\.name)).map { "; did you mean \($0.quoted)?" } ?? ""
                throw Problem(.badRequest, "usage", "this path has no parameter \(name.quoted)\(near)")
            }
            guard parameter.isRepeated || query.count(where: { $0.name == name }) == 1 else {
                throw Problem(.badRequest, "usage", "\(name)=\(value): give it once")
            }
        }
    }

    private static func headOnly(_ answer: GatewayAnswer) -> GatewayAnswer {
        var head = answer
        switch answer.body {
        case .none: break
        case .bytes(let bytes): head.headers["Content-Length"] = String(bytes.count)
        case .stream(let length, _): head.headers["Content-Length"] = length.map(String.init)
        case .events(let client): client.end()
        }
        head.body = .none
        return head
    }

    /// A browser shows nothing of an answer, keeps nothing, and lets nobody put it into a page.
    private static let headers: [(String, String)] = [
        ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
        ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
        ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin")
    ]

    /// A reader of events that comes by Socket.IO, with the token and what it wants in what it says of itself.
    ///
    /// - Throws: ``Problem`` as a request for the event stream is answered.
    func eventReader(_ auth: Value.Members) throws(Problem) -> EventClient {
        guard let given = auth["token"]?.string, access.opens(given) else {
            throw Problem(.unauthorized, "signInNeeded", "the gateway needs its token: connect with auth: { token }")
        }
        var entities: Set<String> = []
        if let named = auth["entities"] {
            guard let list = named.array else {
                throw Problem(.badRequest, "usage", "auth.entities: write a list of names")
            }
            for entity in list { entities.insert(try resource(entity.string ?? "").name) }
        }
        if let after = auth["after"], after.string == nil, !after.isNull {
            throw Problem(.badRequest, "usage", "auth.after: write the id of an event, as it was told")
        }
        return try hub.subscribe(.program, after: auth["after"]?.string, entities: entities)
    }

    // MARK: What routes share

    /// - Throws: ``Problem`` 404 that lists what there is.
    func resource(_ entity: String) throws(Problem) -> Resource {
        if let resource = synchronizer.routeFile.resources.first(where: { $0.name.hasSameBytes(as: entity) }) {
            return resource
        }
        let names = synchronizer.routeFile.resources.map(\.name).joined(separator: ", ")
        throw Problem(
            .notFound, "unknownName",
            "\(synchronizer.routeFile.source) has no entity “\(entity)”; it has \(names)")
    }

    /// The path of an object.
    static func path(of uri: ObjectURI) -> String {
        "/v1/objects/\(PercentEncoding.segment(uri.entity))/\(PercentEncoding.segment(uri.id))"
    }
}

extension Route {
    /// All operations, in the order of the description.
    static let all: [Route] =
        aboutRoutes + objectRoutes + contentRoutes + decisionRoutes + syncRoutes + eventRoutes
}
