#if Notifications
    import AtmosphereExchange
    import AtmosphereSocketIO
    import Crypto
    import NIOHTTP1
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    extension Webhook {
        /// The updates that a request means; none where it is of a kind that does not matter.
        ///
        /// - Parameter now: seconds since 1970.
        /// - Throws: ``Problem``: 401 without the right signature, which is looked at before anything else of the body.
        func events(
            _ request: HTTPRequest, reader: EventReader, now: Double
        ) throws(Problem) -> [PublishedEvent] {
            try check(request, now: now)
            guard request.contentType == "application/json" else {
                throw Problem(415, "Send application/json: choose that content type where the webhook is set up")
            }
            let body = Value.object(try reader.json(request.body))
            guard conditions.allSatisfy({ $0.holds(request, body) }) else { return [] }
            let found = items.values(in: body)
            guard found.count <= EventReader.batchLimit else {
                throw Problem(422, "\(found.count) items are more than \(EventReader.batchLimit)")
            }
            let delivery = delivery.flatMap { $0.texts(request, body).first }
            let isDeleted = !deleted.isEmpty && deleted.allSatisfy { $0.holds(request, body) }
            var events: [PublishedEvent] = []
            for (index, item) in found.enumerated() {
                let id = delivery.map { found.count == 1 ? "\(path) \($0)" : "\(path) \($0) \(index)" }
                if let event = try event(request, item, id: id, isDeleted: isDeleted, reader: reader) {
                    events.append(event)
                }
            }
            return events
        }

        /// - Returns: nil where it concerns nobody.
        private func event(
            _ request: HTTPRequest, _ item: Value, id delivery: String?, isDeleted: Bool, reader: EventReader
        ) throws(Problem) -> PublishedEvent? {
            guard let name = entity.texts(request, item).first, let id = self.id.first(in: item)?.name else {
                throw Problem(422, "The body has no text or number where the entity or the id should stand")
            }
            func names(_ sources: [Source]) -> [Value] {
                var seen: Set<ScalarText> = []
                return sources.flatMap { source -> [String] in
                    guard case .text(let text) = source else { return source.texts(request, item) }
                    return [text.replacing("{entity}", with: name).replacing("{id}", with: id)]
                }.filter { seen.insert(ScalarText($0)).inserted }.map { .string($0) }
            }
            let users = names(users)
            let rooms = names(rooms)
            if users.isEmpty, rooms.isEmpty { return nil }
            var body: Value.Members = [
                "uri": ["entity": .string(name), "id": .string(id)],
                "to": ["users": .array(users), "rooms": .array(rooms)]
            ]
            if let version = version?.first(in: item), version.name != nil { body["version"] = version }
            if isDeleted {
                body["deleted"] = true
            } else if let attributes = attributes?.first(in: item) {
                body["attributes"] = attributes
                if isWhole { body["whole"] = true }
            }
            // Longer ones would be refused as an id.
            if let delivery { body["id"] = .string(delivery.utf8.count <= 200 ? delivery : Self.digest(delivery)) }
            return try reader.event(.update, body, key: nil)
        }

        private static func digest(_ text: String) -> String {
            SHA256.hash(data: Array(text.utf8)).map { byte in
                String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
            }.joined()
        }

        // MARK: Signatures

        private func check(_ request: HTTPRequest, now: Double) throws(Problem) {
            let refusal = Problem(401, "The signature, or its time, is missing or not right")
            var time = ""
            if let (header, tolerance) = self.time {
                guard let text = Self.only(header, request), let seconds = Int64(text),
                    abs(Double(seconds) - now) <= Double(tolerance)
                else { throw refusal }
                time = text
            }
            guard let text = Self.only(signature.header, request), text.hasPrefix(signature.prefix),
                let code = signature.bytes(String(text.dropFirst(signature.prefix.count)))
            else { throw refusal }
            var signer = HMAC<SHA256>(key: SymmetricKey(data: Array(secret.value.utf8)))
            signer.update(data: Self.bytes(signature.before, time))
            signer.update(data: request.body)
            signer.update(data: Self.bytes(signature.after, time))
            // Takes as long for a wrong code as for a right one.
            guard Self.areSame(Array(signer.finalize()), code) else { throw refusal }
        }

        private static func areSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
            guard left.count == right.count else { return false }
            var difference: UInt8 = 0
            for index in left.indices { difference |= left[index] ^ right[index] }
            return difference == 0
        }

        private static func only(_ header: String, _ request: HTTPRequest) -> String? {
            let values = request.headers[header]
            return values.count == 1 ? values[0] : nil
        }

        private static func bytes(_ parts: [Signature.Part], _ time: String) -> [UInt8] {
            parts.flatMap { part -> [UInt8] in
                switch part {
                case .text(let text): Array(text.utf8)
                case .time: Array(time.utf8)
                }
            }
        }
    }

    extension Webhook.Signature {
        fileprivate func bytes(_ text: String) -> [UInt8]? {
            if isBase64 { return Base64.decode(Array(text.utf8)[...]) }
            let digits = Array(text.utf8)
            guard digits.count == 64 else { return nil }
            var bytes: [UInt8] = []
            for index in stride(from: 0, to: digits.count, by: 2) {
                guard let byte = UInt8(hexadecimal: digits[index...(index + 1)]) else { return nil }
                bytes.append(byte)
            }
            return bytes
        }
    }

    extension Webhook.Condition {
        fileprivate func holds(_ request: HTTPRequest, _ body: Value) -> Bool {
            switch source {
            case .text: false
            case .header(let name):
                request.headers.first(name: name).map { value in
                    values.contains { $0.name?.hasSameBytes(as: value) == true }
                } == true
            case .selector(let path): path.values(in: body).contains { values.contains($0) }
            }
        }
    }

    extension Webhook.Source {
        fileprivate func texts(_ request: HTTPRequest, _ body: Value) -> [String] {
            switch self {
            case .text(let text): [text]
            case .header(let name): request.headers.first(name: name).map { [$0] } ?? []
            case .selector(let path): path.values(in: body).compactMap(\.name)
            }
        }
    }

    extension Value {
        /// A text, or a number as it was written: what can name something.
        fileprivate var name: String? { string ?? number?.lexeme }
    }
#endif
