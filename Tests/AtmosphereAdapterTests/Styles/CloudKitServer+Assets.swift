import Atmosphere
import AtmosphereTesting
import Synchronization

extension CloudKitServer {
    /// Contents, on a server of their own, as Apple has it: nothing but a URL is needed there, and no credentials may come.
    struct Assets {
        static let host = "https://cvws.icloud-content.example"

        /// Where content may be sent to: the record and the field that it is for.
        var places: [String: (record: String, field: String)] = [:]
        /// By checksum.
        var contents: [String: [UInt8]] = [:]
        /// What each upload was for, by its receipt.
        var receipts: [String: (record: String, field: String, checksum: String)] = [:]
        /// Requests to the host, with their headers.
        var requests: [Request] = []
        /// URLs with a lower number are not known any more.
        var oldest = 0

        /// Whether the dictionary is what an upload for that field gave.
        func isUploaded(_ asset: Value.Members, to record: String, _ field: String) -> Bool {
            guard let receipt = asset["receipt"]?.string, let known = receipts[receipt] else { return false }
            return known.record == record && known.field == field && known.checksum == asset["fileChecksum"]?.string
        }

        /// As it is shown: without the receipt, and with a URL that is another each time.
        func shown(_ asset: Value.Members, number: Int) -> Value.Members {
            var shown = asset
            shown["receipt"] = nil
            let checksum = asset["fileChecksum"]?.string ?? ""
            shown["downloadURL"] = .string("\(Self.host)/B/\(checksum)/${f}?o=\(number)")
            return shown
        }
    }

    /// Requests to the server of contents.
    var contentRequests: [Request] { state.withLock { $0.assets.requests } }

    /// No URL that was shown so far leads to content any more.
    func expireDownloads() { state.withLock { $0.assets.oldest = $0.requests.count + 1 } }

    func upload(_ body: Value.Members, _ state: inout State) throws(Refusal) -> Value.Members {
        try only(["zoneID", "tokens"], in: body, "assets/upload")
        try checkZone(body["zoneID"])
        var tokens: [Value] = []
        for each in body["tokens"]?.array ?? [] {
            guard let token = each.members else { throw Refusal("a token is a dictionary") }
            try only(["recordName", "recordType", "fieldName"], in: token, "a token")
            let record = try text("recordName", token, "a token")
            let field = try text("fieldName", token, "a token")
            _ = try text("recordType", token, "a token")
            let url = "\(Assets.host)/upload/\(state.assets.places.count)?key=signed"
            state.assets.places[url] = (record, field)
            tokens.append(["recordName": .string(record), "fieldName": .string(field), "url": .string(url)])
        }
        guard !tokens.isEmpty else { throw Refusal("assets/upload needs tokens") }
        return ["tokens": .array(tokens)]
    }

    func content(_ request: Request) async throws -> Response {
        var bytes: [UInt8] = []
        if case .stream(_, let start) = request.body {
            let next = try await start()
            while let chunk = try await next() { bytes += chunk }
        }
        return state.withLock { state in
            state.assets.requests.append(request)
            guard request.headers["Authorization"] == nil, !request.url.contains("ckAPIToken") else {
                return Self.refusal(401, "AUTHENTICATION_FAILED", "credentials do not belong here")
            }
            let path = request.url.dropFirst(Assets.host.count).prefix { $0 != "?" }.split(separator: "/")
            if request.method == "POST", let place = state.assets.places[request.url] {
                return Self.response(200, ["singleFile": .object(state.assets.take(bytes, for: place))])
            }
            let number = request.url.split(separator: "=").last.flatMap { Int($0) } ?? 0
            guard request.method == "GET", path.count == 3, path[0] == "B", !path[2].contains("$"),
                let content = state.assets.contents[String(path[1])], number >= state.assets.oldest
            else { return Self.refusal(410, "NOT_FOUND", "gone") }
            return Response(
                status: 200,
                headers: ["Content-Type": "application/octet-stream", "Content-Length": "\(content.count)"],
                body: ResponseBody(content))
        }
    }
}

extension CloudKitServer.Assets {
    fileprivate mutating func take(_ bytes: [UInt8], for place: (record: String, field: String)) -> Value.Members {
        let checksum = "sum\(bytes.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF })"
        let receipt = "receipt-\(receipts.count)"
        contents[checksum] = bytes
        receipts[receipt] = (place.record, place.field, checksum)
        return [
            "fileChecksum": .string(checksum), "size": .number(JSONNumber(bytes.count)), "wrappingKey": "key",
            "referenceChecksum": "ref", "receipt": .string(receipt)
        ]
    }
}
