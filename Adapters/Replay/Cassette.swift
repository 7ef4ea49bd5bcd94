internal import AtmosphereExchange
internal import Foundation

/// The exchanges in a file, a line of JSON to each, so that people can read and `diff` them. A body of JSON is written
/// without spaces, and a replay gives it so; where the server's bytes were others, `"rewritten":true` stands beside it.
///
/// ```json
/// {"atmosphere-cassette":1}
/// {"method":"GET","url":"https://example.com/tasks","headers":{"Accept":"application/json"},"answer":{"status":200,"headers":{"ETag":"\"1\""},"json":[]}}
/// ```
struct Cassette: Sendable {
    static let version: Int64 = 1
    static let header: [UInt8] = Array("{\"atmosphere-cassette\":\(version)}\n".utf8)

    struct Exchange: Sendable, Equatable {
        var method: String
        var url: String
        var headers: HeaderFields
        var body: CassetteBody
        var answer: Answer
    }

    enum Answer: Sendable, Equatable {
        case response(status: Int, headers: HeaderFields, body: CassetteBody)
        /// No answer came.
        case failure(code: String, mayHaveArrived: Bool)
    }

    /// With the number of the line.
    private(set) var exchanges: [(line: Int, exchange: Exchange)] = []
    /// The number of the last line where it was cut off, as by the end of the process that wrote it; it is left out.
    private(set) var cutLine: Int?

    /// - Throws: ``TransportError`` `invalidRequest` that names the file and the line.
    init(path: String) throws(TransportError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Self.unreadable(path)
        }
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) {
            let place = "\(path):\(index + 1)"
            guard let members = try? Value(json: [UInt8](line)).members else {
                // Every line that was written whole has an end.
                if index > 0, index == lines.count - 1 {
                    cutLine = index + 1
                    continue
                }
                throw Self.unusable(place, "the line is not a JSON object")
            }
            if index == 0 {
                guard let version = members["atmosphere-cassette"]?.number?.int64 else {
                    throw Self.unusable(place, "this is not a cassette: its first line says no atmosphere-cassette")
                }
                guard version <= Self.version else {
                    throw Self.unusable(place, "a newer version of Atmosphere has written it; use that version")
                }
                continue
            }
            guard let exchange = Exchange(members) else {
                throw Self.unusable(place, "the line is not an exchange: method, url and answer are needed")
            }
            exchanges.append((index + 1, exchange))
        }
        if lines.first?.isEmpty ?? true { throw Self.unusable(path, "this is not a cassette: it is empty") }
    }

    static func unreadable(_ path: String) -> TransportError {
        unusable(path, "the file cannot be read; record it with atmos record")
    }

    static func unusable(_ place: String, _ reason: String) -> TransportError {
        TransportError(code: .invalidRequest, message: "\(place): \(reason)", mayHaveArrived: false)
    }
}

extension Cassette.Exchange {
    /// The same without texts that are known as secrets.
    func without(_ secrets: SecretTexts, keeping segments: Set<String>) -> Cassette.Exchange {
        var clean = self
        clean.url = secrets.removed(fromURL: url, keeping: segments)
        clean.headers = Self.without(secrets, headers)
        clean.body = body.without(secrets)
        if case .response(let status, let headers, let body) = answer {
            clean.answer = .response(
                status: status, headers: Self.without(secrets, headers), body: body.without(secrets))
        }
        return clean
    }

    private static func without(_ secrets: SecretTexts, _ headers: HeaderFields) -> HeaderFields {
        HeaderFields(headers.fields.map { .init(name: $0.name, value: secrets.removed(from: $0.value)) })
    }

    /// One line, with its end.
    var line: [UInt8] {
        var request: [Value.Member] = [
            .init(name: "method", value: .string(method)), .init(name: "url", value: .string(url))
        ]
        request += Self.stored(headers)
        request += body.members
        let answer: [Value.Member] =
            switch answer {
            case .response(let status, let headers, let body):
                [.init(name: "status", value: .number(JSONNumber(status)))] + Self.stored(headers)
                    + body.members
            case .failure(let code, let mayHaveArrived):
                [
                    .init(name: "failure", value: .string(code)),
                    .init(name: "mayHaveArrived", value: .bool(mayHaveArrived))
                ]
            }
        request.append(.init(name: "answer", value: .object(.init(answer))))
        return Value.object(.init(request)).json() + [UInt8(ascii: "\n")]
    }

    init?(_ members: Value.Members) {
        guard let method = members["method"]?.string, let url = members["url"]?.string,
            let headers = Self.headers(members), let body = CassetteBody(members),
            let answer = members["answer"]?.members
        else { return nil }
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        if let status = answer["status"]?.number?.int64.flatMap({ Int(exactly: $0) }), (100...999).contains(status) {
            guard let headers = Self.headers(answer), let body = CassetteBody(answer) else { return nil }
            self.answer = .response(status: status, headers: headers, body: body)
        } else if let code = answer["failure"]?.string {
            self.answer = .failure(code: code, mayHaveArrived: answer["mayHaveArrived"]?.bool ?? true)
        } else {
            return nil
        }
    }

    /// An object, with a list where a name occurs more than once.
    private static func stored(_ headers: HeaderFields) -> [Value.Member] {
        var members = Value.Members()
        for field in headers.fields where members[field.name] == nil {
            let values = headers.values(of: field.name)
            members[field.name] =
                values.count == 1 ? .string(values[0]) : .array(values.map(Value.string))
        }
        return members.isEmpty ? [] : [.init(name: "headers", value: .object(members))]
    }

    private static func headers(_ members: Value.Members) -> HeaderFields? {
        var headers = HeaderFields()
        guard let stored = members["headers"] else { return headers }
        guard let stored = stored.members else { return nil }
        for member in stored {
            for value in member.value.array ?? [member.value] {
                guard let text = value.string else { return nil }
                headers.append(member.name, text)
            }
        }
        return headers
    }
}
