internal import Atmosphere

extension AuthenticatorSuite {
    var signingChecks: [ConformanceCheck] {
        let url = url
        let plain = request
        var checks = check("a request is signed", .ready) { subject in
            let signed = try await signed(subject)
            try Expect.that(Self.mark(signed) != Self.mark(plain), "the request is as it was before")
        }
        checks += check("what a request asks for stays as it is", .ready) { subject in
            let signed = try await signed(subject)
            try Expect.equal(signed.method, plain.method, "the method")
            try Expect.equal(signed.mayRepeat, plain.mayRepeat, "mayRepeat")
            try Expect.that(signed.url.hasPrefix(url), "the URL became \(signed.url)")
            for header in plain.headers.fields {
                try Expect.equal(signed.headers[header.name], header.value, "the header \(header.name)")
            }
            guard case .bytes(let body) = signed.body, case .bytes(let before) = plain.body, body == before else {
                throw ConformanceFailure("the body is another")
            }
        }
        checks += check("fifty requests at once fetch credentials once at most", .ready) { subject in
            try await Self.concurrently(50) { _ in _ = try await signed(subject) }
            let count = subject.renewals?() ?? 0
            try Expect.that(count <= 1, "credentials were fetched \(count) times")
        }
        checks += check("every secret that a request carries is among the used secrets", .ready) { subject in
            let mark = Self.mark(try await signed(subject))
            let used = subject.authenticator.usedSecrets.map(\.value)
            for secret in subject.secrets() where mark.contains(secret) {
                try Expect.that(used.contains { $0.contains(secret) }, "usedSecrets lacks one that was sent")
            }
            let carriesNone = subject.secrets().allSatisfy { !mark.contains($0) }
            try Expect.that(
                carriesNone || !used.isEmpty, "usedSecrets is empty although the request carries a secret")
        }
        if let foreignURL {
            checks += check("a request to another origin is not signed", .ready) { subject in
                // What is in memory by now must stay there, too.
                _ = try await signed(subject)
                for other in [foreignURL] + Self.lookalikes(of: url) {
                    var foreign = plain
                    foreign.url = other
                    let before = Self.mark(foreign)
                    do {
                        try await subject.authenticator.authorize(&foreign)
                    } catch is SyncError {}
                    try Expect.equal(Self.mark(foreign), before, "the request to \(other)")
                }
            }
        }
        return checks
    }

    var renewalChecks: [ConformanceCheck] {
        var checks = check("after a refusal the request is signed with other credentials", .renewable) { subject in
            let first = try await signed(subject)
            let answer = try await answer(subject, first)
            try Expect.that(answer == .retry, "the answer to the challenge was not to try again")
            let second = try await signed(subject)
            try Expect.that(Self.mark(first) != Self.mark(second), "the credentials are those that were refused")
        }
        checks += check("fifty refusals at once fetch credentials once", .renewable) { subject in
            let first = try await signed(subject)
            guard let renewals = subject.renewals else {
                throw ConformanceFailure("a renewable subject has to count its renewals")
            }
            let before = renewals()
            try await Self.concurrently(50) { _ in
                let answer = try await answer(subject, first)
                try Expect.that(answer == .retry, "the answer to a challenge was not to try again")
            }
            try Expect.equal(renewals() - before, 1, "the number of renewals")
        }
        checks += check(
            "a refusal of credentials that were replaced meanwhile fetches nothing", .renewable
        ) { subject in
            let first = try await signed(subject)
            _ = try await answer(subject, first)
            let before = subject.renewals?()
            let answer = try await answer(subject, first)
            try Expect.that(answer == .retry, "the answer to the challenge was not to try again")
            try Expect.equal(subject.renewals?(), before, "the number of renewals")
        }
        checks += check(
            "a cancelled request does not take the credentials of the others along", .renewable
        ) { subject in
            let first = try await signed(subject)
            let gate = Gate()
            let cancelled = Task {
                // Cancelled by the time it asks, whatever the machine is busy with.
                try? await gate.pass()
                return try? await answer(subject, first)
            }
            cancelled.cancel()
            _ = await cancelled.value
            try await Self.concurrently(5) { _ in
                let answer = try await answer(subject, first)
                try Expect.that(answer == .retry, "the answer to a challenge was not to try again")
            }
            let second = try await signed(subject)
            try Expect.that(Self.mark(first) != Self.mark(second), "the credentials are those that were refused")
        }
        return checks
    }

    var failureChecks: [ConformanceCheck] {
        let plain = request
        var checks = check("where nothing new can be had, a person is asked", .ended) { subject in
            let first = try await signed(subject)
            do {
                let answer = try await answer(subject, first)
                try Expect.that(answer == .signInAgain, "the answer was to try again")
            } catch let error as SyncError {
                try Expect.equal(error.code, .signInNeeded, "the code of the error")
            }
        }
        checks += check("without credentials nothing is sent, and a person is asked", .missing) { subject in
            var request = plain
            do {
                try await subject.authenticator.authorize(&request)
                throw ConformanceFailure("authorize did not throw")
            } catch let error as SyncError {
                try Expect.equal(error.code, .signInNeeded, "the code of the error")
            }
            try Expect.equal(Self.mark(request), Self.mark(plain), "the request")
        }
        checks += check("a server that cannot be reached is no reason to ask a person", .unreachable) { subject in
            var request = plain
            do {
                try await subject.authenticator.authorize(&request)
                throw ConformanceFailure("authorize did not throw")
            } catch let error as SyncError {
                try Expect.equal(error.code, .unreachable, "the code of the error")
            }
        }
        for situation in [Situation.ended, .missing, .unreachable] {
            checks += check("no error shows a secret (\(situation))", situation) { subject in
                var request = plain
                do {
                    try await subject.authenticator.authorize(&request)
                    _ = try await answer(subject, request)
                } catch {
                    let text = "\(error) \(String(reflecting: error))"
                    for secret in subject.secrets() {
                        try Expect.that(!text.contains(secret), "an error shows a secret")
                    }
                }
            }
        }
        return checks
    }

    var cancellationChecks: [ConformanceCheck] {
        let plain = request
        return check("a cancelled request comes back at once while credentials are fetched", .stalled) { subject in
            guard let stall = subject.stall else {
                throw ConformanceFailure("a stalled subject has to say what holds it")
            }
            let sign: @Sendable () async throws -> Request = {
                var request = plain
                try await subject.authenticator.authorize(&request)
                return request
            }
            let first = Task { try await sign() }
            try await stall.waitForArrival(of: first, "authorize")
            let second = Task { try await sign() }
            first.cancel()
            // The gate is still closed: whoever waits for the fetch does not come back.
            if let signed = try? await first.value {
                try Expect.equal(Self.mark(signed), Self.mark(plain), "the request that was cancelled")
            }
            stall.open()
            let signed = try await second.value
            try Expect.that(Self.mark(signed) != Self.mark(plain), "the other request is as it was before")
        }
    }

    var answerChecks: [ConformanceCheck] {
        var checks = check("an answer without credentials leaves what is signed with", .ready) { subject in
            let first = try await signed(subject)
            try await subject.authenticator.receive(SignedAnswer(request: first, status: 204, body: []))
            _ = try await signed(subject)
        }
        guard let renewing else { return checks }
        checks += check("the next request is signed with what an answer has brought", .ready) { subject in
            let first = try await signed(subject)
            try await subject.authenticator.receive(renewing(first, 1))
            let second = try await signed(subject)
            try Expect.that(Self.mark(first) != Self.mark(second), "the credentials are those of before")
            try await subject.authenticator.receive(renewing(second, 2))
            let third = try await signed(subject)
            try Expect.that(Self.mark(second) != Self.mark(third), "the credentials are those of the first answer")
        }
        checks += check("many answers at once leave one that requests are signed with", .ready) { subject in
            let first = try await signed(subject)
            try await Self.concurrently(20) { number in
                try await subject.authenticator.receive(renewing(first, number + 1))
            }
            let second = try await signed(subject)
            try Expect.that(Self.mark(first) != Self.mark(second), "the credentials are those of before")
            let third = try await signed(subject)
            try Expect.equal(Self.mark(third), Self.mark(second), "the next request")
        }
        checks += check("a cancelled request does not lose what its answer has brought", .ready) { subject in
            let first = try await signed(subject)
            let gate = Gate()
            let cancelled = Task {
                // Cancelled by the time it is told, whatever the machine is busy with.
                try? await gate.pass()
                try? await subject.authenticator.receive(renewing(first, 1))
            }
            cancelled.cancel()
            await cancelled.value
            // It may be kept a moment later.
            while true {
                let next = try await signed(subject)
                if Self.mark(next) != Self.mark(first) { return }
                try Task.checkCancellation()
                await Task.yield()
            }
        }
        return checks
    }

    /// URLs that begin like this one, or hold its host, and are of other origins (RFC 6454 §4).
    static func lookalikes(of url: String) -> [String] {
        guard let scheme = url.firstRange(of: "://") else { return [] }
        let name = String(url[..<scheme.lowerBound])
        let authority = url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let rest = url[authority.endIndex...]
        let (host, port) = hostAndPort(String(authority))
        let otherPort = port == "8443" ? "9443" : "8443"
        return [
            "\(name)://\(host).evil.example\(rest)", "\(name)://\(host)@evil.example\(rest)",
            "\(name)://evil.example/\(host)\(rest)", "\(name)://evil-\(host)\(rest)",
            "\(name)://\(host):\(otherPort)\(rest)",
            "\(name == "http" ? "https" : "http")://\(authority)\(rest)"
        ]
    }

    private static func hostAndPort(_ authority: String) -> (host: String, port: String) {
        // The brackets of an IPv6 address hold colons of their own.
        let end = authority.lastIndex(of: "]") ?? authority.startIndex
        guard let colon = authority[end...].lastIndex(of: ":") else { return (authority, "") }
        return (String(authority[..<colon]), String(authority[authority.index(after: colon)...]))
    }

    private func answer(_ subject: Subject, _ request: Request) async throws -> ChallengeAnswer {
        try await subject.authenticator.answer(Challenge(request: request, schemes: ["Bearer"]))
    }

    private static func concurrently(
        _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<count { group.addTask { try await Expect.noting { try await body(index) } } }
            try await group.waitForAll()
        }
    }
}
