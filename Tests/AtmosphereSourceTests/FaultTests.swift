#if Source && YAML && Curl
    import Atmosphere
    import AtmosphereCurl
    import AtmosphereSource
    import AtmosphereYAML
    import Testing

    @Suite("Faults of the source", .timeLimit(.minutes(5)))
    struct FaultTests {
        /// The faults that a plan has for a sequence of POSTs and GETs, and the log that they leave.
        private func faults(_ plan: RESTSource.FaultPlan, requests: Int = 60) async throws -> [RESTSource.Fault?] {
            let source = try source(plan)
            try await source.withServer { url in
                let client = try Client(url)
                for number in 0..<requests {
                    _ = try? await client.send(number.isMultiple(of: 3) ? "POST" : "GET", #"{"title":"\#(number)"}"#)
                }
            }
            return source.log.map(\.fault)
        }

        private func source(_ plan: RESTSource.FaultPlan?) throws -> RESTSource {
            var options = RESTSource.Options(seed: 3)
            options.faults = plan
            return try RESTSource(SampleAPI.django(), options: options)
        }

        private struct Client {
            let url: String
            let transport: CurlTransport

            init(_ url: String) throws {
                self.url = url
                var settings = TransportSettings()
                settings.timeout = .seconds(20)
                transport = try CurlTransport(settings: settings)
            }

            func send(_ method: String, _ body: String = "") async throws -> (status: Int, type: String, body: String) {
                var request = Request(method: method, url: "\(url)/albums/")
                request.mayRepeat = false
                if method == "POST" {
                    request.body = .bytes(Array(body.utf8))
                    request.headers["Content-Type"] = "application/json"
                }
                let answer = try await transport.send(request)
                let bytes = try await answer.body.collect(upTo: 1 << 20)
                return (answer.status, answer.headers["Content-Type"] ?? "", String(decoding: bytes, as: UTF8.self))
            }
        }

        @Test("the same seed and the same requests have the same faults; another seed has others")
        func deterministic() async throws {
            var plan = RESTSource.FaultPlan(seed: 7, rate: 0.4)
            plan.delay = .milliseconds(1)
            let first = try await faults(plan)
            #expect(first.count == 60 && (12...36).contains(first.compactMap(\.self).count), "\(first)")
            #expect(try await faults(plan) == first)
            plan.seed = 8
            #expect(try await faults(plan) != first)
            plan.most = 3
            #expect(try await faults(plan).compactMap(\.self).count == 3)
        }

        @Test("rules choose their requests, and go before chance")
        func rules() async throws {
            var plan = RESTSource.FaultPlan(rules: [
                .init(.serverError, method: "POST", nth: 2),
                .init(.unavailable, method: "GET", path: "albums", every: 4),
                .init(.conflict, path: "pictures")
            ])
            let found = try await faults(plan, requests: 12)
            #expect(
                found.map { $0?.rawValue ?? "-" } == ["-", "-", "-", "500", "-", "503", "-", "-", "-", "-", "-", "503"])
            plan.rate = 1
            plan.kinds = [.unauthorized]
            let all = try await faults(plan, requests: 12)
            #expect(all.allSatisfy { $0 != nil } && all[3] == .serverError && all[5] == .unavailable)
        }

        @Test(
            "each fault does what it says, and leaves as many objects as it should",
            arguments: RESTSource.Fault.allCases)
        func effect(_ fault: RESTSource.Fault) async throws {
            var plan = RESTSource.FaultPlan(rules: [.init(fault, method: "POST")])
            plan.delay = .milliseconds(300)
            plan.retryAfter = 9
            let source = try source(plan)
            try await source.withServer { url in
                let client = try Client(url)
                let start = ContinuousClock.now
                let answer = try? await client.send("POST", #"{"title":"A"}"#)
                let created = source.objects("albums").count - 3
                switch fault {
                case .dropBefore, .reset: #expect(answer == nil && created == 0)
                case .dropAfter, .truncate: #expect(answer == nil && created == 1)
                case .delay:
                    #expect(answer?.status == 201 && created == 1)
                    #expect(ContinuousClock.now - start >= .milliseconds(300))
                case .duplicate: #expect(answer?.status == 201 && created == 2)
                case .wrongType:
                    #expect(answer?.status == 200 && answer?.type.hasPrefix("text/html") == true && created == 0)
                default: #expect(answer?.status == Int(fault.rawValue) && created == 0)
                }
                #expect(try await client.send("GET").status == 200)
            }
            let entry = try #require(source.log.first)
            #expect(entry.fault == fault && source.log.last?.fault == nil)
            #expect((entry.processed != nil) == [.dropAfter, .truncate, .delay, .duplicate].contains(fault))
            let summary = source.summary
            #expect(summary.requests == 2 && summary.faults == [fault: 1])
            #expect(summary.duplicates.map(\.ids) == (fault == .duplicate ? [["4", "5"]] : []))
        }

        @Test("equal creates are counted, whatever names the request; other objects are not")
        func duplicates() async throws {
            let source = try source(nil)
            try await source.withServer { url in
                let client = try Client(url)
                for body in [
                    #"{"title":"A","uuid":"1"}"#, #"{"uuid":"2","title":"A"}"#, #"{"title":"B"}"#,
                    #"{"title":"A","x":1}"#
                ] {
                    #expect(try await client.send("POST", body).status == 201)
                }
            }
            #expect(source.summary.created == 4)
            #expect(source.summary.duplicates.map(\.entity) == ["albums"])
            #expect(source.summary.duplicates.map(\.ids) == [["4", "5"]])
            #expect(
                source.summary.value == [
                    "requests": 4, "processed": 4, "faults": [:], "created": 4,
                    "duplicates": [["entity": "albums", "ids": ["4", "5"]]]
                ])
        }

        // MARK: The file

        @Test("a plan is read from YAML or JSON")
        func file() throws {
            let yaml = """
                seed: 7
                rate: 0.25
                kinds: [drop-after, 503]
                most: 20
                delay: 50ms
                retry-after: 0
                rules:
                  - { fault: drop-after, method: post, path: tasks, nth: 1 }
                  - { fault: 412, every: 3 }

                """
            var plan = RESTSource.FaultPlan(
                seed: 7, rate: 0.25,
                rules: [
                    .init(.dropAfter, method: "POST", path: "tasks", nth: 1), .init(.preconditionFailed, every: 3)
                ])
            plan.kinds = [.dropAfter, .unavailable]
            plan.most = 20
            plan.delay = .milliseconds(50)
            plan.retryAfter = 0
            #expect(try RESTSource.FaultPlan(bytes: Array(yaml.utf8), source: "plan.yaml", adapters: [.yaml]) == plan)
            let json = #"{"seed": 7, "rate": 0.25, "kinds": ["drop-after"]}"#
            let read = try RESTSource.FaultPlan(bytes: Array(json.utf8), source: "plan.json", adapters: [])
            #expect(read.seed == 7 && read.rate == 0.25 && read.kinds == [.dropAfter] && read.rules == [])
        }

        @Test(
            "mistakes in a plan have a place and a reason",
            arguments: [
                (
                    "rate: 2\n",
                    "plan.yaml:1:7: “rate” must be a number from 0 to 1: the part of the requests that go wrong"
                ),
                (
                    "sed: 1\n",
                    "plan.yaml:1:1: unknown key “sed”; known here: seed, rate, kinds, most, delay, retry-after, rules"
                ),
                ("kinds: [drop]\n", "plan.yaml:1:9: a fault must be one of: drop-before, drop-after, reset, "),
                ("rules:\n  - { method: POST }\n", "plan.yaml:2:5: a rule needs “fault”: "),
                ("rules:\n  - { fault: 500, nth: 0 }\n", "plan.yaml:2:24: this must be a whole number from 1 to "),
                ("delay: 1h\n", "plan.yaml:1:8: “delay” must be a duration up to 10m, such as 200ms or 2s"),
                ("- a\n", "plan.yaml:1:1: a plan of faults is a map of settings")
            ])
        func wrongFile(_ text: String, _ message: String) throws {
            let error = #expect(throws: RouteFileError.self) {
                try RESTSource.FaultPlan(bytes: Array(text.utf8), source: "plan.yaml", adapters: [.yaml])
            }
            #expect(
                error?.problems.count == 1 && error?.description.hasPrefix(message) == true,
                "\(String(describing: error))")
        }
    }
#endif
