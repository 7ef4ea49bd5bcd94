import Atmosphere
import AtmosphereReplay
import AtmosphereTesting
import AtmosphereURLSession
import Testing

#if Curl
    import AtmosphereCurl
#endif

/// The transports of this package, by the suite that every transport runs.
enum TestedTransport: String, CaseIterable, CustomTestStringConvertible {
    case urlSession
    #if Curl
        case curl
        /// Wrappers change nothing.
        case wrappedCurl
        /// Written to a cassette on the way.
        case recordedCurl
    #endif

    var testDescription: String { rawValue }

    var suite: TransportSuite {
        switch self {
        case .urlSession:
            var options = TransportSuite.Options()
            options.holdsBack = false
            return TransportSuite(options: options) { URLSessionTransport() }
        #if Curl
            case .curl: return TransportSuite { try CurlTransport() }
            case .wrappedCurl:
                return TransportSuite {
                    try CurlTransport().observed { _ in }.switchable().measured(by: TransportMetrics())
                }
            case .recordedCurl:
                var options = TransportSuite.Options()
                options.streams = false
                return TransportSuite(options: options) {
                    let folder = try TemporaryFolder()
                    let recording = try RecordingTransport(CurlTransport(), to: folder.file("cassette"))
                    return RecordedTransport(folder: folder, recording: recording)
                }
        #endif
        }
    }

    var checkNames: [String] { suite.checks.map(\.name) }
}

#if Curl
    /// Takes the folder of its cassette along when it goes.
    private struct RecordedTransport: Transport {
        let folder: TemporaryFolder
        let recording: RecordingTransport

        func send(_ request: Request) async throws -> Response { try await recording.send(request) }
    }
#endif

@Suite("every transport keeps every promise of the protocol")
struct TransportConformanceTests {
    #if canImport(Darwin)
        private static let beyondFoundation: [String] = []
    #else
        /// What URLSession of this system does not stand, and no transport around it can mend: Foundation ends the process at
        /// a chunk with an extension, drops the body of a 401 to a PUT, and does not get to end an exchange while the server
        /// sends faster than it reads.
        private static let beyondFoundation = [
            "a body in chunks is put together, whatever the chunks are",
            "no status is an error, and its body can be read",
            "a body that never ends is stopped at the limit"
        ]
    #endif

    @Test("URLSession", arguments: TestedTransport.urlSession.checkNames.filter { !beyondFoundation.contains($0) })
    func urlSession(_ name: String) async throws { try await run(name, on: .urlSession) }

    @Test("what is left out for URLSession here is a check that there is")
    func leftOut() {
        #expect(Set(Self.beyondFoundation).isSubset(of: TestedTransport.urlSession.checkNames))
    }

    #if Curl
        @Test("curl", arguments: TestedTransport.curl.checkNames)
        func curl(_ name: String) async throws { try await run(name, on: .curl) }

        @Test("curl in three wrappers", arguments: TestedTransport.wrappedCurl.checkNames)
        func wrappedCurl(_ name: String) async throws { try await run(name, on: .wrappedCurl) }

        @Test("curl, recorded", arguments: TestedTransport.recordedCurl.checkNames)
        func recordedCurl(_ name: String) async throws { try await run(name, on: .recordedCurl) }
    #endif

    private func run(_ name: String, on transport: TestedTransport) async throws {
        let check = try #require(transport.suite.checks.first { $0.name == name })
        try await check.run()
    }

    @Test("the checks have names of their own")
    func names() {
        for transport in TestedTransport.allCases {
            #expect(Set(transport.checkNames).count == transport.checkNames.count)
        }
    }
}
