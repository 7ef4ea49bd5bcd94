#if Curl
    import Atmosphere
    import AtmosphereCurl
    import AtmosphereTesting
    import Testing

    /// The curl transport with one fault.
    struct BrokenTransport: Transport {
        enum Fault: String, CaseIterable, CustomTestStringConvertible {
            case repeatsPosts, failsOnStatus, dropsQuery, dropsBody, dropsStream, ignoresLimit, refusesTheLimit
            case takesShortBodies, forgetsThatItWasSent, saysAllMayHaveArrived, followsElsewhere, turnsPostIntoGet
            case ignoresCancellation, ignoresTimeout, cleansHeaders, showsQuery, mixesAnswers, dropsHeaders
            case sendsCancelled, quotesHeaders, followsWhatItMustNot, takesOneOfEach, sendsOneOfEach, readsTheBodyFirst

            var testDescription: String { rawValue }

            /// How the check begins that is meant for it.
            var check: String {
                switch self {
                case .repeatsPosts, .forgetsThatItWasSent, .showsQuery: "a POST without an answer"
                case .failsOnStatus: "no status is an error"
                case .dropsQuery: "a request arrives with"
                case .dropsBody: "a body of bytes"
                case .dropsStream: "a streamed body"
                case .ignoresLimit, .refusesTheLimit: "a body longer than the limit"
                case .takesShortBodies: "a body that ends before"
                case .saysAllMayHaveArrived: "where nobody listens"
                case .followsElsewhere: "a redirect to another origin"
                case .turnsPostIntoGet: "a redirect that would lose"
                case .followsWhatItMustNot: "a redirect is the answer"
                case .ignoresCancellation: "cancelling while the answer"
                case .ignoresTimeout: "a server that does not answer in time"
                case .cleansHeaders, .quotesHeaders: "what cannot be sent"
                case .mixesAnswers: "many requests at once"
                case .dropsHeaders: "an answer comes with"
                case .takesOneOfEach, .sendsOneOfEach: "a header that stands twice"
                case .readsTheBodyFirst: "cancelling while the body is read"
                case .sendsCancelled: "a task that is cancelled already"
                }
            }
        }

        private let fault: Fault?
        private let transport: CurlTransport
        private let memory = AnswerMemory()

        /// - Parameter fault: nil for what is around the transport alone, which breaks nothing.
        init(_ fault: Fault?) throws {
            self.fault = fault
            transport = try CurlTransport()
        }

        func send(_ request: Request) async throws -> Response {
            var request = request
            change(&request)
            do {
                var response = try await exchange(request)
                change(&response, of: request)
                if fault == .failsOnStatus, response.status >= 400 {
                    throw TransportError(code: .connectionLost, message: "refused", mayHaveArrived: true)
                }
                if fault == .mixesAnswers { return try await memory.answer(request, response) }
                return response
            } catch var error as TransportError {
                switch fault {
                case .repeatsPosts where error.code == .connectionLost: return try await transport.send(request)
                case .forgetsThatItWasSent: error.mayHaveArrived = false
                case .saysAllMayHaveArrived: error.mayHaveArrived = true
                case .showsQuery: error.message += " (\(request.url))"
                case .quotesHeaders: error.message += " (\(request.headers))"
                case .followsElsewhere where error.code == .redirect:
                    request.url = String(request.url.drop { $0 != "=" }.dropFirst())
                    return try await transport.send(request)
                case .turnsPostIntoGet where error.code == .redirect:
                    let base = request.url.prefix { $0 != "?" }.split(separator: "/").prefix(2).joined(separator: "//")
                    return try await transport.send(Request(method: "GET", url: base + "/other"))
                default: break
                }
                throw error
            }
        }

        private func exchange(_ request: Request) async throws -> Response {
            switch fault {
            case .ignoresCancellation, .sendsCancelled:
                let task = Task { try await transport.send(request) }
                return try await task.value
            case .readsTheBodyFirst:
                let task = Task {
                    var response = try await transport.send(request)
                    response.body = ResponseBody(try await response.body.collect(upTo: request.maximumResponseBytes))
                    return response
                }
                return try await task.value
            default: return try await transport.send(request)
            }
        }

        private func change(_ request: inout Request) {
            switch fault {
            case .dropsQuery: request.url = String(request.url.prefix { $0 != "?" })
            case .dropsBody: if case .bytes = request.body { request.body = .bytes([]) }
            case .dropsStream: if case .stream = request.body { request.body = .none }
            case .ignoresLimit: request.maximumResponseBytes = 100 << 20
            case .refusesTheLimit: request.maximumResponseBytes -= 1
            case .followsWhatItMustNot: request.followsRedirects = true
            case .sendsOneOfEach: request.headers = Self.firstOfEach(request.headers)
            case .ignoresTimeout: request.timeout = .seconds(14)
            case .cleansHeaders:
                for index in request.headers.fields.indices {
                    request.headers.fields[index].value.removeAll { $0.isNewline }
                }
            default: break
            }
        }

        private static func firstOfEach(_ headers: HeaderFields) -> HeaderFields {
            var first = HeaderFields()
            for field in headers.fields where first[field.name] == nil { first.append(field.name, field.value) }
            return first
        }

        private func change(_ response: inout Response, of request: Request) {
            switch fault {
            case .dropsHeaders: response.headers = [:]
            case .takesOneOfEach: response.headers = Self.firstOfEach(response.headers)
            case .takesShortBodies:
                let body = response.body
                response.body = ResponseBody { try? await body.makeAsyncIterator().next() }
            default: break
            }
        }
    }

    /// Gives every answer the body of the first one.
    private actor AnswerMemory {
        private var first: [UInt8]?

        func answer(_ request: Request, _ response: Response) async throws -> Response {
            var response = response
            let body = try await response.body.collect(upTo: .max)
            if first == nil { first = body }
            response.body = ResponseBody(first ?? body)
            return response
        }
    }

    @Suite("the conformance suite of transports catches broken transports")
    struct TransportSuiteSelfTests {
        @Test("a fault is caught by the check that is meant for it", arguments: BrokenTransport.Fault.allCases)
        func catches(_ fault: BrokenTransport.Fault) async throws {
            let checks = TransportSuite { try BrokenTransport(fault) }.checks.filter { $0.name.hasPrefix(fault.check) }
            try #require(checks.count == 1)
            let limit = fault == .readsTheBodyFirst ? Duration.seconds(1) : ConformanceCheck.usualLimit
            await #expect(throws: (any Error).self) { try await checks[0].run(within: limit) }
        }

        private static let sound = TransportSuite { try BrokenTransport(nil) }

        @Test("what the faults are put around breaks nothing by itself", arguments: sound.checks.map(\.name))
        func control(_ name: String) async throws {
            try await #require(Self.sound.checks.first { $0.name == name }).run()
        }
    }
#endif
