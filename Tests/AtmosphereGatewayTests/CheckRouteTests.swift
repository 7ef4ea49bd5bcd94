#if Gateway && Source && Curl && YAML
    import Atmosphere
    import AtmosphereSource
    import Testing

    @testable import AtmosphereGateway

    @Suite("The check of the server through the gateway", .timeLimit(.minutes(5))) struct CheckRouteTests {
        @Test("a check says what the server is like, and writes nothing, there or here")
        func check() async throws {
            try await Bench.serving(pulled: false) { bench in
                bench.source.clearLog()
                let report = try await bench.ask("POST", "/v1/check")
                #expect(report.status == 200 && report["passed"] == true, "\(report)")
                #expect(report["problems"] == [] && report["warnings"] == [])
                let tasks = try #require(report["entities"]?.members?["tasks"]?.members)
                #expect(tasks["listed"] == 3 && tasks["readable"] == true && tasks["create"] == "lookup", "\(report)")
                let topics = (tasks["findings"]?.array ?? []).compactMap { $0.members?["topic"]?.string }
                #expect(topics.contains("etag"), "\(report)")
                let promises = report["promises"]?.array ?? []
                #expect(promises.contains { $0.members?["untried"]?.array?.isEmpty == false }, "\(report)")
                #expect(!bench.source.log.isEmpty && bench.source.log.allSatisfy { $0.method == "GET" })
                #expect(try await bench.ask("GET", "/v1/objects/tasks")["total"] == 0)
            }
        }

        @Test("what is not as the route file says is named with its setting")
        func mismatch() async throws {
            try await Bench.serving { bench in
                bench.source.intercept = { $0.path.contains("/tasks/") ? .answer(404) : nil }
                let report = try await bench.ask("POST", "/v1/check")
                #expect(report.status == 200 && report["passed"] == false, "\(report)")
                let problem = try #require(report["problems"]?.array?.first?.members, "\(report)")
                #expect(problem["code"] == "mismatch")
                #expect(problem["message"]?.string?.hasPrefix("resources.tasks.list: GET ") == true, "\(report)")
                #expect(report["entities"]?.members?["lists"]?.members?["problems"] == [])
            }
        }

        @Test("a server that is not reached is told in the report")
        func offline() async throws {
            try await Bench.serving { bench in
                _ = try await bench.ask("PUT", "/v1/network", ["offline": true])
                let report = try await bench.ask("POST", "/v1/check")
                #expect(report.status == 200 && report["passed"] == false && report["entities"] == [:], "\(report)")
                #expect(report["problems"]?.array?.first?.members?["code"] == "unreachable", "\(report)")
            }
        }
    }
#endif
