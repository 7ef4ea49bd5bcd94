public import Atmosphere

extension Adapter {
    /// Offers ``ReplayTransport`` under `transport: { kind: replay, path: tasks.cassette }`.
    public static var replay: Adapter {
        .transport("replay") { settings in
            guard let path = settings.path else {
                throw TransportError(
                    code: .invalidRequest,
                    message: "transport: replay needs a cassette; write { kind: replay, path: FILE }",
                    mayHaveArrived: false)
            }
            return try ReplayTransport(path: path, matching: settings.matching == "lenient" ? .lenient : .strict)
        }
    }
}
