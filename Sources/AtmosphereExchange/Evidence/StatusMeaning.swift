/// What the status of an answer means for the request that was answered.
///
/// The error rules of the route file come first, in their order. Where none fits, HTTP decides (RFC 9110 §15, RFC 6585):
///
/// | status | treatment |
/// | --- | --- |
/// | 401 | ``ErrorRules/Treatment/unauthorized``: the credentials are not accepted |
/// | 404, 410 | ``ErrorRules/Treatment/gone``: the object does not exist (any more) |
/// | 409, 412 | ``ErrorRules/Treatment/conflict``: the object is not as the client knew it |
/// | 429, 503 | ``ErrorRules/Treatment/wait``: the origin pauses, and the request is sent again |
/// | 421, 431 | ``ErrorRules/Treatment/retry``: the server has not looked at what was asked; another way, or other credentials, may do |
/// | 408, 425, other 5xx | ``ErrorRules/Treatment/retry``: the request is sent again, with backoff |
/// | 301, 302, 303, 307, 308 without `Location`, of a write | the same: it may have been done, as before any redirect |
/// | 407 | of a proxy on the way, and no answer of the server (``RequestRules/checkProxy(_:display:)``) |
/// | any other | ``ErrorRules/Treatment/reject``: refused for good |
///
/// A success (2xx) is an error only where a rule names its status. 410 says that the object is gone; 404 only says that
/// nothing is at the address.
package struct StatusMeaning {
    let status: Int
    /// The method of the request; nil for one result of several.
    let method: String?
    /// The body, as far as it could be read.
    let body: ErrorBody?
    /// The error rules of the route file.
    let rules: [ErrorRules.Rule]

    init(_ reply: ResourceClient.Reply, body: ErrorBody?, rules: [ErrorRules.Rule]) {
        status = reply.status
        method = reply.method
        self.body = body
        self.rules = rules
    }

    /// The first rule that is about the answer; nil where none is.
    var rule: ErrorRules.Rule? { rules.first { fits($0) } }

    /// By the first rule that is about the answer, else by the status.
    var treatment: ErrorRules.Treatment {
        rule?.treatment ?? (isWriteLedNowhere ? .retry : Self.treatment(of: status))
    }

    /// A redirect comes here only without a `Location` (``RequestRules/checkRedirect(_:_:from:to:followed:display:)``). It says as
    /// little of a write as one that is not followed.
    private var isWriteLedNowhere: Bool {
        RequestRules.isRedirect(status) && method.map { ["GET", "HEAD"].contains($0) } != true
    }

    /// Whether the answer is one that a rule is about. Of several values at the path any may fit.
    private func fits(_ rule: ErrorRules.Rule) -> Bool {
        guard rule.statuses.isEmpty || rule.statuses.contains(status) else { return false }
        guard rule.methods.isEmpty || method.map(rule.methods.contains) == true else { return false }
        guard let path = rule.path else { return true }
        guard let body else { return false }
        let found = path.values(in: body.value)
        guard !rule.values.isEmpty else { return !found.isEmpty }
        // What writes no types has only texts.
        let texts = body.isXML ? rule.values.compactMap(Self.untypedText) : []
        return found.contains { value in rule.values.contains(value) || value.string.map(texts.contains) == true }
    }

    /// A scalar as a format without types writes it.
    private static func untypedText(_ value: Value) -> String? {
        switch value {
        case .string(let text): text
        case .number(let number): number.lexeme
        case .bool(let flag): "\(flag)"
        case .null, .array, .object: nil
        }
    }
}

// MARK: HTTP

extension StatusMeaning {
    /// What a status means where the route file says nothing.
    static func treatment(of status: Int) -> ErrorRules.Treatment {
        switch status {
        case 401: .unauthorized
        case 404, 410: .gone
        case 409, 412: .conflict
        case 429, 503: .wait
        case 408, 421, 425, 431, 500...599: .retry
        default: .reject
        }
    }

    /// Whether a status says that the object is gone, and not only that nothing is at the address (RFC 9110 §15.5.11).
    static func saysGone(_ status: Int) -> Bool { status == 410 }

    /// Whether a status that may pass says that nothing was done (RFC 9110 §15.5.20, RFC 6585 §4 and §5).
    package static func saysUndone(_ status: Int?) -> Bool { [421, 429, 431].contains(status) }

    /// What a person is told of a status behind its number; empty for a status without a name here.
    static func phrase(of status: Int) -> String {
        switch status {
        case 200..<300: "with an error"
        case 300..<400: "(a redirect)"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 410: "Gone"
        case 412: "Precondition Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        default: ""
        }
    }
}
