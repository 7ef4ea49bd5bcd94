/// Finds the values of the secrets that a route file names: first in the environment, then in the file that
/// `secrets.file` names.
///
/// The file holds lines of `NAME=value`; spaces around both and one pair of quotes around the value are dropped, empty
/// lines, lines starting with `#` and lines without a value are skipped, and no name may have two. It must belong to its owner
/// alone (mode 0600). It is read anew each time, so that a changed secret counts at once.
package struct SecretSource: Sendable {
    private static let limit = 1 << 20

    private let environment: [String: String]
    private let file: String?
    /// Where the route file names each secret, for messages.
    private let places: [String: String]

    /// Looks in the environment first, then in the file; reads nothing yet.
    ///
    /// - Parameters:
    ///   - environment: the process's variables; an empty one counts as not set.
    ///   - file: the secrets file; nil for none.
    package init(environment: [String: String], file: String? = nil) {
        self.environment = environment
        self.file = file
        places = [:]
    }

    /// The source that a route file describes; its `secrets.file` counts from the route file's folder.
    package init(for routeFile: RouteFile, environment: [String: String]) {
        self.environment = environment
        file = routeFile.secrets.file.map { path in
            path.beginsWithSlash ? path : routeFile.source.throughLastSlash + path
        }
        let named = routeFile.settings.filter { $0.path.hasPrefix("auth.") || $0.path.hasPrefix("live.") }.map {
            ($0.value, $0.origin)
        }
        places = Dictionary(
            named.map { (String($0.0.filter { $0 != "\"" }), $0.1) }, uniquingKeysWith: { first, _ in first })
    }

    /// Looks a secret up.
    ///
    /// - Throws: ``SecretError``: `missing`; or `notPrivate`, `unreadable` and `malformed` for the secrets file, which is
    ///   only opened for what the environment does not have.
    package func secret(_ name: SecretName) throws(SecretError) -> Secret {
        if let value = environment[name.name], !value.isEmpty { return Secret(value) }
        if let file, let value = try value(of: name.name, in: file) { return Secret(value) }
        let place = places[name.description].map { " (\($0))" } ?? ""
        let remedy =
            file.map { "add a line \(name.name)=… to \($0), or set \(name.name) in the environment" }
            ?? "set \(name.name) in the environment, or name a secrets file: secrets: { file: FILE }"
        throw SecretError(code: .missing, message: "\(name)\(place) is not set: \(remedy)")
    }

    private func value(of name: String, in file: String) throws(SecretError) -> String? {
        let bytes: [UInt8]
        do {
            bytes = try SmallFile.read(file, limit: Self.limit, mustBePrivate: true)
        } catch .notPrivate {
            throw SecretError(
                code: .notPrivate,
                message: "the secrets file \(file) can be read by others: run chmod 600 \(file.shellWord)")
        } catch .system(let code) where code == SmallFile.noSuchFile {
            // Everything may be in the environment; what is missing names the file.
            return nil
        } catch {
            throw SecretError(code: .unreadable, message: "the secrets file \(file): \(error)")
        }
        var found: (value: String, line: Int)?
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let text = Self.trimmed(String(decoding: line, as: UTF8.self))
            if text.isEmpty || text.hasPrefix("#") { continue }
            guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
                throw SecretError(code: .malformed, message: "\(file):\(index + 1): a line must be NAME=value")
            }
            guard Self.trimmed(text[..<equals]) == name else { continue }
            let value = Self.unquoted(Self.trimmed(text[text.index(after: equals)...]))
            if value.isEmpty { continue }
            if let found {
                throw SecretError(
                    code: .malformed,
                    message:
                        "\(file):\(index + 1): \(name) stands on line \(found.line) already; keep one of the two lines")
            }
            found = (value, index + 1)
        }
        return found?.value
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var rest = text[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }

    private static func unquoted(_ text: String) -> String {
        guard text.count >= 2, let quote = text.first, quote == text.last, "\"'".contains(quote) else { return text }
        return String(text.dropFirst().dropLast())
    }
}
