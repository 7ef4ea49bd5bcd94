package import Atmosphere

extension LiveStatus {
    package var members: Value.Members {
        switch self {
        case .off: ["state": "off"]
        case .connecting: ["state": "connecting"]
        case .connected(let since): ["state": "connected", "since": .string(since.rfc3339)]
        case .disconnected(let since, let reason):
            ["state": "disconnected", "since": .string(since.rfc3339), "reason": .string(reason)]
        }
    }
}
