#if Command
    import Foundation
    import Testing

    /// Pages of a gateway in a real browser.
    enum Chromium {
        /// Installed once: nil, with the reason printed, where there is none.
        private static let python: URL? = {
            let environment = PeerServer.packageRoot.appendingPathComponent(".build/interop-pages")
            return PeerServer.setUp("pages", arguments: [environment.path])
                ? environment.appendingPathComponent("bin/python") : nil
        }()

        /// Without it the tests are skipped visibly, but fail in CI.
        static var isAvailable: Bool { python != nil || ProcessInfo.processInfo.environment["CI"] != nil }

        /// Runs a script of `Tests/Interop/pages` to its end.
        static func run(_ script: String, _ arguments: [String]) async throws -> (status: Int32, output: String) {
            let python = try #require(python, "Tests/Interop/pages/setup.sh failed; see its output above")
            return try await runToEnd(
                python,
                [PeerServer.folder("pages").appendingPathComponent(script).path, AtmosCommand.binary.path] + arguments)
        }
    }

    /// The Python that the service of a sample is run with.
    enum SampleService {
        static func python(_ sample: String, _ module: String) throws -> String {
            let environment = PeerServer.packageRoot.appendingPathComponent(".build/sample-\(sample)")
            let requirements = PeerServer.packageRoot.appendingPathComponent(
                "Samples/\(sample)/server/requirements.txt")
            let isReady = PeerServer.setUp("django", arguments: [environment.path, requirements.path, module])
            try #require(isReady, "the packages of \(requirements.path) cannot be had; see the output above")
            return environment.appendingPathComponent("bin/python").path
        }
    }

    @Suite("pages in Chromium", .serialized, .enabled(if: Chromium.isAvailable, "no Chromium here"))
    struct PageTests {
        @Test("a page made with atmosphere.js goes on without the gateway, and each of its writes happens once")
        func module() async throws {
            let result = try await Chromium.run("module_test.py", ["--rounds", "3", "--rows", "5000"])
            #expect(result.status == 0, "\(result.output)")
        }

        @Test("in Studio a person sees, edits, decides and mends, by keyboard too")
        func studio() async throws {
            let result = try await Chromium.run("studio_test.py", ["--rows", "5000"])
            #expect(result.status == 0, "\(result.output)")
        }

        @Test("the sample SyncBlog is written offline, and what clashes is decided by member and by picture")
        func blog() async throws {
            let result = try await Chromium.run("blog_test.py", [])
            #expect(result.status == 0, "\(result.output)")
        }

        @Test("the sample TaskDo signs in at Google Tasks, and orders and cleans up tasks offline")
        func taskDo() async throws {
            let result = try await Chromium.run("taskdo_test.py", [])
            #expect(result.status == 0, "\(result.output)")
        }

        @Test("the sample Zone tracks time offline, and shows the week and its report")
        func zone() async throws {
            let result = try await Chromium.run("zone_test.py", [SampleService.python("Zone", "reportlab")])
            #expect(result.status == 0, "\(result.output)")
        }

        @Test("the sample ZaCloud keeps a note to one device while somebody edits it")
        func zaCloud() async throws {
            let result = try await Chromium.run("zacloud_test.py", [])
            #expect(result.status == 0, "\(result.output)")
        }

        @Test(
            "the sample Edukit shows messages and pages of a course to all its members at once, and sends each once",
            .enabled(if: RailsServer.isAvailable, "no Rails here"))
        func edukit() async throws {
            let result = try await Chromium.run("edukit_test.py", [])
            #expect(result.status == 0, "\(result.output)")
        }

        @Test("the sample RPic shows pictures and their places, and adds them while the server is away")
        func rpic() async throws {
            let result = try await Chromium.run("rpic_test.py", [SampleService.python("RPic", "rest_framework")])
            #expect(result.status == 0, "\(result.output)")
        }
    }
#endif
