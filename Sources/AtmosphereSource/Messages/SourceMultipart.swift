internal import Atmosphere

/// Reads `multipart/form-data` (RFC 7578).
enum SourceMultipart {
    struct Part: Sendable {
        var name: String
        /// Empty where the client says none.
        var fileName: String
        var mediaType: String
        var bytes: [UInt8]
    }

    /// - Parameter type: of the body, with the boundary.
    /// - Throws: 415 for a body of another type, 400 for one that does not end as a form does.
    static func parts(in body: [UInt8], type: String) throws(SourceRefusal) -> [Part] {
        let essence = type.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        guard essence == "multipart/form-data", let boundary = parameters(type[...])["boundary"], !boundary.isEmpty
        else {
            throw .general(status: 415, "Unsupported media type in request; multipart/form-data is expected.")
        }
        let lineEnd: [UInt8] = [13, 10]
        let delimiter = lineEnd + Array("--\(boundary)".utf8)
        // The first delimiter has no line in front of it.
        let body = lineEnd + body
        var parts: [Part] = []
        var place = 0
        while let found = first(delimiter, in: body[place...]) {
            if place > 0 { parts.append(part(body[place..<found])) }
            let behind = found + delimiter.count
            if body[behind...].starts(with: Array("--".utf8)) { return parts }
            guard let end = first(lineEnd, in: body[behind...]) else { break }
            // The empty head of a part ends with the line that its delimiter stands on.
            place = end
        }
        throw .general(status: 400, "Multipart form parse error: the last boundary is missing.")
    }

    /// - Parameter bytes: what stands between two delimiters, from the end of the first one's line.
    private static func part(_ bytes: ArraySlice<UInt8>) -> Part {
        let gap = Array("\r\n\r\n".utf8)
        let end = first(gap, in: bytes)
        var part = Part(name: "", fileName: "", mediaType: "application/octet-stream", bytes: [])
        part.bytes = end.map { Array(bytes[($0 + gap.count)...]) } ?? []
        let head = String(decoding: bytes[..<(end ?? bytes.endIndex)], as: UTF8.self)
        for line in head.split(separator: "\r\n" as Character) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            switch line[..<colon].lowercased() {
            case "content-disposition":
                let said = parameters(value)
                part.name = said["name"] ?? ""
                part.fileName = said["filename"] ?? ""
            case "content-type": part.mediaType = String(value)
            default: break
            }
        }
        return part
    }

    /// What stands behind the semicolons of a header, by the names in small letters.
    private static func parameters(_ header: Substring) -> [String: String] {
        var found: [String: String] = [:]
        var rest = header
        while let semicolon = rest.firstIndex(of: ";") {
            rest = rest[rest.index(after: semicolon)...].drop { $0 == " " || $0 == "\t" }
            guard let equals = rest.firstIndex(of: "=") else { break }
            let name = rest[..<equals].lowercased()
            rest = rest[rest.index(after: equals)...]
            var value = ""
            if rest.first == "\"" {
                rest = rest.dropFirst()
                while let next = rest.first, next != "\"" {
                    rest = rest.dropFirst()
                    value.append(next)
                }
            } else {
                value = String(rest.prefix { $0 != ";" })
            }
            rest = rest.drop { $0 != ";" }
            found[name] = value
        }
        return found
    }

    private static func first(_ wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.indices.first { bytes[$0] == wanted[0] && bytes[$0...].starts(with: wanted) }
    }
}
