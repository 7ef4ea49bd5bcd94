package import Atmosphere

extension SignInState {
    package var members: Value.Members {
        var members: Value.Members = ["signedIn": .bool(isSignedIn), "renews": .bool(canRenew)]
        if let expires { members["expires"] = .string(expires.rfc3339) }
        if let scope { members["scope"] = .string(scope) }
        if let verifiedBy { members["verifiedBy"] = .string(verifiedBy) }
        return members
    }
}

extension SignInStep {
    /// What a person has to do; nil for nothing but to wait.
    package var json: Value? {
        switch self {
        case .open(let url): return ["open": .string(url)]
        case .enter(let code, let url, let complete, let until):
            var members: Value.Members = [
                "code": .string(code), "url": .string(url), "until": .string(until.rfc3339)
            ]
            if let complete { members["complete"] = .string(complete) }
            return .object(members)
        case .wait: return nil
        }
    }
}
