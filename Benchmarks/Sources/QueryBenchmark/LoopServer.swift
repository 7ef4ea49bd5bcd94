import Atmosphere

/// A server in the same process: pages of a thousand objects, and every update accepted at once. What is measured is
/// ours alone.
struct LoopServer: Transport {
    static let page = 1_000
    var objects: Int

    func send(_ request: Request) async throws -> Response {
        let path = request.url.dropFirst("https://loop.example/tasks".count)
        if request.method == "GET", path.hasPrefix("?") || path.isEmpty {
            let number = path.split(separator: "=").last.flatMap { Int($0) } ?? 1
            return answer(page(number))
        }
        guard request.method == "PUT", case .bytes(let bytes) = request.body else { return Response(status: 404) }
        // The whole object, as a server answers that has taken the update.
        return answer(Array("{\"id\":\(path.dropFirst()),".utf8) + bytes.dropFirst())
    }

    private func answer(_ bytes: [UInt8]) -> Response {
        Response(status: 200, headers: ["Content-Type": "application/json"], body: ResponseBody(bytes))
    }

    private func page(_ number: Int) -> [UInt8] {
        var text = Array("[".utf8)
        for id in ((number - 1) * Self.page + 1)..<(min(number * Self.page, objects) + 1) {
            if text.count > 1 { text.append(UInt8(ascii: ",")) }
            text += Self.object(id)
        }
        return text + Array("]".utf8)
    }

    /// About 200 bytes; the due days and priorities are spread evenly.
    static func object(_ id: Int) -> [UInt8] {
        let mixed = id &* 2_654_435_761 % 1_000_003
        let day = mixed % 28 + 1
        let month = mixed / 28 % 12 + 1
        let year = 2000 + mixed / 336 % 50
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let due = "\(year)-\(two(month))-\(two(day))"
        return Array(
            """
            {"id":\(id),"title":"Task number \(id)","due":"\(due)","done":\(id % 3 == 0),"project":\(mixed % 1000),\
            "notes":"Something to remember about it, long enough to be a note","tags":["home","later"]}
            """.utf8)
    }
}
