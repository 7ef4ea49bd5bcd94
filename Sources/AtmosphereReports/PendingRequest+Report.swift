package import Atmosphere

extension PendingRequest {
    /// What is sent of this change: a JSON body as it is, another one as its text, or the item of a batch.
    package var body: Value? {
        if let batch { return batch.item }
        guard case .bytes(let bytes) = request.body else { return nil }
        let isJSON = request.headers["Content-Type"]?.contains("json") ?? false
        if isJSON { return try? Value(json: bytes) }
        return .string(String(decoding: bytes, as: UTF8.self))
    }

    /// The same as text.
    package var text: String? {
        if let batch { return String(decoding: batch.item.json(), as: UTF8.self) }
        guard case .bytes(let bytes) = request.body else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    package var batchPlace: Value {
        guard let batch else { return .null }
        return ["number": .number(JSONNumber(batch.number)), "of": .number(JSONNumber(batch.count))]
    }
}
