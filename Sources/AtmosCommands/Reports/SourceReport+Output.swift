#if Command
    internal import Atmosphere
    internal import AtmosphereSource

    extension RESTSource.LogEntry {
        /// `POST /api/tasks/ 201, no answer (drop-after)`; without the query, which may hold a key.
        var line: String {
            let status = self.status.map(String.init)
            let processed = self.processed.map(String.init)
            let outcome =
                switch (processed, status) {
                case (let processed?, let status?) where processed == status: status
                case (let processed?, let status): "\(processed), \(status ?? "no answer")"
                case (nil, let status): "not processed, \(status ?? "no answer")"
                }
            return "\(method) \(path) \(outcome)" + (fault.map { " (\($0.rawValue))" } ?? "")
        }

        var value: Value {
            [
                "method": .string(method), "path": .string(path),
                "processed": processed.map { .number(JSONNumber($0)) } ?? .null,
                "status": status.map { .number(JSONNumber($0)) } ?? .null,
                "fault": fault.map { .string($0.rawValue) } ?? .null
            ]
        }
    }

    extension RESTSource.Summary {
        var lines: [String] {
            let faults = self.faults.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                "\($0.key.rawValue) \($0.value)"
            }
            let total = self.faults.values.reduce(0, +)
            var lines = [
                "\(requests) requests, \(processed) processed, \(total) with a fault"
                    + (faults.isEmpty ? "" : ": \(faults.joined(separator: ", "))"),
                "\(created) created, \(duplicates.isEmpty ? "none" : String(duplicates.count)) more than once"
            ]
            lines += duplicates.map { "created more than once: \($0.entity) \($0.ids.joined(separator: ", "))" }
            return lines
        }
    }
#endif
