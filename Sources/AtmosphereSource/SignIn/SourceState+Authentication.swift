internal import Atmosphere

extension SourceState {
    /// - Throws: 401 with the scheme that is wanted (RFC 9110 §11.6.1).
    func authenticate(_ request: SourceRequest) throws(SourceRefusal) {
        if let key = api.key { try authenticate(request, by: key) }
        if !isOpen(request) { try authenticate(request, by: api.auth) }
    }

    /// Anybody may read, but nobody with a proof that is wrong.
    private func isOpen(_ request: SourceRequest) -> Bool {
        guard api.signed == .writes, !showsProof(request, of: api.auth) else { return false }
        if request.path.hasPrefix(contentFolder) { return ["GET", "HEAD"].contains(request.method) }
        guard case .match(let match) = routes.find(request) else { return false }
        return switch match.target {
        case .verb(.list), .verb(.read), .tombstones, .content(_, .download), .content(_, .askDownload): true
        case .batch(let batch): reads(batch, request)
        default: false
        }
    }

    /// Whether a request has something at the place of the proof, right or wrong.
    private func showsProof(_ request: SourceRequest, of auth: AuthSettings) -> Bool {
        switch auth {
        case .none, .adapter: false
        case .basic, .bearer, .token, .oauth2: request.headers["Authorization"] != nil
        case .keyInHeader(let name, _): request.headers[name] != nil
        case .keyInQuery(let name, _): request.query(name) != nil
        case .session(let session): showsSession(request, session)
        case .asked(let asked): showsProof(request, of: asked.served)
        }
    }

    private func authenticate(_ request: SourceRequest, by auth: AuthSettings) throws(SourceRefusal) {
        let authorization = request.headers["Authorization"]
        switch auth {
        case .none: break
        case .basic(let username, let password):
            let pair = text(username).flatMap { name in text(.secret(password)).map { "\(name):\($0)" } }
            let expected = pair.map { "Basic \(SourceBase64.encode($0))" }
            try require(authorization, is: expected, scheme: "Basic realm=\"source\"")
        case .bearer where isGranted(authorization): break
        case .bearer(let secret):
            try require(authorization, is: text(.secret(secret)).map { "Bearer \($0)" }, scheme: "Bearer")
        case .token(let scheme, let secret):
            try require(authorization, is: text(.secret(secret)).map { "\(scheme) \($0)" }, scheme: scheme)
        case .keyInHeader(let name, let secret):
            try require(request.headers[name], is: text(.secret(secret)), scheme: "ApiKey")
        case .keyInQuery(let name, let secret):
            try require(request.query(name), is: text(.secret(secret)), scheme: "ApiKey")
        case .oauth2:
            if !isGranted(authorization) { try require(nil, is: nil, scheme: "Bearer error=\"invalid_token\"") }
        case .session(let session):
            if !isInSession(request, session) { try require(nil, is: nil, scheme: "Session") }
        case .asked(let asked): try authenticate(request, by: asked.served)
        // Only whoever wrote the authenticator knows what it adds.
        case .adapter: break
        }
    }

    /// A secret without a value lets nobody in.
    private func require(_ shown: String?, is expected: String?, scheme: String) throws(SourceRefusal) {
        guard let shown, let expected, shown == expected else {
            throw .general(
                status: 401, "Authentication credentials were not provided, or are wrong.",
                headers: ["WWW-Authenticate": scheme])
        }
    }

    private func text(_ credential: Credential) -> String? {
        switch credential {
        case .literal(let text): text
        case .secret(let secret): rules.secrets[secret.name]
        }
    }
}

/// RFC 4648 §4.
enum SourceBase64 {
    static func encode(_ text: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let bytes = Array(text.utf8)
        var encoded: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
            for place in 0..<4 {
                let digit = alphabet[Int(bits >> (18 - 6 * UInt32(place)) & 63)]
                encoded.append(place <= group.count ? digit : UInt8(ascii: "="))
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
