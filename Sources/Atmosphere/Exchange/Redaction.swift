/// Takes secrets out of texts that a server wrote.
struct Redaction: Sendable {
    private let secrets: [[UInt8]]

    /// Longer secrets go first, for one may be a part of another.
    init(_ secrets: [Secret]) {
        self.secrets = secrets.map { Array($0.value.utf8) }.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
    }

    /// The text with `[secret]` in the place of every secret.
    func callAsFunction(_ text: String) -> String {
        secrets.reduce(text) { text, secret in
            let parts = Array(text.utf8).split(around: secret)
            guard parts.count > 1 else { return text }
            return String(decoding: Array(parts.joined(separator: Array("[secret]".utf8))), as: UTF8.self)
        }
    }

    func callAsFunction(_ failure: MetaObject.Failure) -> MetaObject.Failure {
        guard !secrets.isEmpty else { return failure }
        var failure = failure
        failure.message = self(failure.message)
        failure.fields = failure.fields.map { .init(field: self($0.field), message: self($0.message)) }
        return failure
    }
}

extension [UInt8] {
    /// The parts before, between and after each occurrence; bytes, for a secret need not end where a character does.
    fileprivate func split(around pattern: [UInt8]) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = 0
        var index = 0
        while index + pattern.count <= count {
            if self[index] == pattern[0], self[index..<index + pattern.count].elementsEqual(pattern) {
                parts.append(self[start..<index])
                index += pattern.count
                start = index
            } else {
                index += 1
            }
        }
        return parts + [self[start...]]
    }
}
