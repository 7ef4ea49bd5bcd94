/// Puts the key on requests that fetch credentials from the API's own origin, such as a login; others go as they are.
struct KeyedTransport: Transport {
    let key: StaticAuthenticator
    let base: String
    let transport: any Transport

    func send(_ request: Request) async throws -> Response {
        guard RequestOrigin(request.url) == RequestOrigin(base) else { return try await transport.send(request) }
        var request = request
        try await key.authorize(&request)
        return try await transport.send(request)
    }
}
