#if Command
    internal import Atmosphere
    internal import AtmosphereReports

    extension PushDiff {
        func lines(_ output: Output) -> [String] {
            entries.flatMap { lines(of: $0, output) }
                + held.map { output.yellow(TextWidth.oneLine("\($0.uri)  held: \($0.reason)")) }
        }

        private func lines(of entry: Entry, _ output: Output) -> [String] {
            let request = entry.pending.request
            var lines = [
                output.bold(TextWidth.oneLine("\(entry.pending.uri)  \(request.method) \(request.url)"))
            ]
            if let batch = entry.pending.batch {
                lines.append(output.dim("  in a batch: \(batch.number) of \(batch.count)"))
            }
            if entry.pending.isLease {
                let isAsked = entry.pending.verb == "lease"
                lines.append(output.dim(isAsked ? "  asks for the edit lease" : "  gives the edit lease back"))
            }
            if entry.comparesFirst {
                lines.append(output.dim("  read and merged first, because \(entry.whyCompared)"))
            }
            lines += entry.headers.map { output.dim(TextWidth.oneLine("  \($0.name): \($0.value)")) }
            if let signature { lines.append(output.dim(TextWidth.oneLine("  signed: \(signature)"))) }
            if let root = entry.root { lines.append(output.dim(TextWidth.oneLine("  inside “\(root)”"))) }
            for change in entry.changes {
                if let from = change.from { lines.append(output.red(Self.line("-", change.name, from))) }
                if let to = change.to { lines.append(output.green(Self.line("+", change.name, to))) }
            }
            for member in entry.pending.beside where entry.pending.verb != "create" {
                lines.append(output.dim(Self.line("=", member.name, member.value)))
            }
            if !entry.pending.unchanged.isEmpty {
                let names = entry.pending.unchanged.joined(separator: ", ")
                lines.append(output.dim(TextWidth.oneLine("  and unchanged: \(names)")))
            }
            return lines
        }

        private static func line(_ mark: String, _ name: String, _ value: Value) -> String {
            TextWidth.oneLine(
                "  \(mark) \(name): \(TextWidth.cut(String(decoding: value.json(), as: UTF8.self), to: 200))")
        }
    }
#endif
