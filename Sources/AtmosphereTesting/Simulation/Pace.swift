internal import Atmosphere

/// Until when a process has to wait: for the pause that the server has asked for, and before it sends again what has just
/// failed.
struct Pace {
    private struct Failure {
        var time: Int64
        var calls: Int
        var skew: Int64
    }

    /// The shortest pause behind a first failure is half a second.
    private static let shortest: Int64 = 400

    /// By the write that failed.
    private var failures: [String: Failure] = [:]
    private var pause: (start: Int64, end: Int64, skew: Int64)?

    /// What is wrong with a request that is sent now; nil where nothing is.
    func objection(to call: SimulatedServer.Call, by process: SimulatedProcess, at now: Int64) -> String? {
        let skew = process.client.skew
        // What was on its way to the wire already cannot have known.
        if let pause, pause.skew == skew, now > pause.start + 100, now < pause.end {
            return
                "sent \(call.method) \(call.path.joined(separator: "/")) \(pause.end - now) ms before the end of the pause "
                + "that the server has asked for"
        }
        guard isTold(process), let failure = failures[Self.name(of: call)], failure.calls == process.calls,
            failure.skew == skew, now - failure.time < Self.shortest
        else { return nil }
        return "sent \(Self.name(of: call)) again \(now - failure.time) ms after it has failed"
    }

    /// Whether it is known which call sends: whoever follows live updates may catch up, too.
    private func isTold(_ process: SimulatedProcess) -> Bool { process.isPushingAlone && !process.isFollowing }

    mutating func failed(_ call: SimulatedServer.Call, by process: SimulatedProcess, at now: Int64) {
        guard isTold(process), call.method != "GET", call.path.last != "batch", call.path.last != "lock" else {
            return
        }
        failures[Self.name(of: call)] = Failure(time: now, calls: process.calls, skew: process.client.skew)
    }

    mutating func answered(
        _ response: Response, to call: SimulatedServer.Call, by process: SimulatedProcess, at now: Int64
    ) {
        if [429, 503].contains(response.status), let seconds = response.headers["Retry-After"].flatMap({ Int64($0) }) {
            pause = (now, max(pause?.end ?? 0, now + seconds * 1000), process.client.skew)
        }
        if response.status == 500 { failed(call, by: process, at: now) }
    }

    /// A create is told by what it creates.
    private static func name(of call: SimulatedServer.Call) -> String {
        let marks = Ledger.marks(in: call.body).map { " mark \($0)" }.joined()
        return "\(call.method) \(call.path.joined(separator: "/"))\(marks)"
    }
}
