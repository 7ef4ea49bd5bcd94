import Atmosphere
import AtmosphereJSONFile

/// Fills a JSON file store and says what a save costs: `CleanConsumer FOLDER [OBJECTS …]`.
@main
struct CleanConsumer {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let folder = arguments.first else {
            print("usage: CleanConsumer FOLDER [OBJECTS …]")
            return
        }
        let sizes = arguments.dropFirst().compactMap { Int($0) }
        for size in sizes.isEmpty ? [1_000] : sizes {
            let path = "\(folder)/\(size).store"
            try await measure(size, path)
        }
    }

    private static func measure(_ size: Int, _ path: String) async throws {
        let store = try JSONFileStore(path: path)
        let filling = try await ContinuousClock().measure {
            for start in stride(from: 0, to: size, by: 100) {
                try await store.write(.process, origin: .pull) { transaction in
                    try transaction.upsert((start..<min(start + 100, size)).map { (uri($0), record($0, "filled")) })
                }
            }
        }
        let power = try await median(of: 300) { number in
            try await store.write(.power, origin: .application) {
                try $0.upsert([(uri(number * 7 % size), record(number, "saved"))])
            }
        }
        let process = try await median(of: 300) { number in
            try await store.write(.process, origin: .application) {
                try $0.upsert([(uri(number * 11 % size), record(number, "kept"))])
            }
        }
        try await store.close()
        var opened: JSONFileStore?
        let opening = try ContinuousClock().measure { opened = try JSONFileStore(path: path) }
        let count = try await opened?.read { try $0.counts()["tasks"]?.objects ?? 0 } ?? 0
        try await opened?.close()
        precondition(count == size)
        print(
            "\(size) objects: filled in \(filling), opened in \(opening); a save that survives a loss of power: median "
                + "\(power.median), longest \(power.longest); one that survives the process: median "
                + "\(process.median), longest \(process.longest)")
    }

    private static func median(
        of count: Int, _ save: (Int) async throws -> Void
    ) async throws -> (median: Duration, longest: Duration) {
        var times: [Duration] = []
        for number in 0..<count { times.append(try await ContinuousClock().measure { try await save(number) }) }
        times.sort()
        return (times[count / 2], times[count - 1])
    }

    private static func uri(_ number: Int) -> ObjectURI { ObjectURI(entity: "tasks", id: "\(number)") }

    /// About 300 bytes.
    private static func record(_ number: Int, _ state: String) -> ObjectRecord {
        ObjectRecord([
            "id": .number(JSONNumber(number)), "title": .string("Task \(number)"), "state": .string(state),
            "notes": .string(String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 5)),
            "tags": ["a", "b", "c"]
        ])
    }
}
