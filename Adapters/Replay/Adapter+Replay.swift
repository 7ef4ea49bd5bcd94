public import AtmosphereExchange

extension Adapter {
    /// Offers `ReplayTransport` under `transport: { kind: replay, path: tasks.cassette }`. A route file without the path
    /// does not load.
    public static var replay: Adapter {
        .transport("replay", needs: ["path"]) { settings in
            // Settings that no route file was read for.
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
