#if Command
    /// Lines on their way to standard output, a few at a time: for answers that are too long to be held.
    struct BufferedLines {
        private var bytes: [UInt8] = []
        private let isData: Bool
        private static let limit = 1 << 16

        /// - Parameter isData: nothing in the lines is the command's own, such as a colour.
        init(isData: Bool = false) { self.isData = isData }

        mutating func line(_ text: String) throws { try append(Array(text.utf8) + [UInt8(ascii: "\n")]) }

        mutating func append(_ more: [UInt8]) throws {
            bytes += more
            if bytes.count >= Self.limit { try flush() }
        }

        /// Writes what is left.
        mutating func flush() throws {
            guard !bytes.isEmpty else { return }
            try StandardStream.output.write(bytes, isData: isData)
            bytes.removeAll(keepingCapacity: true)
        }
    }
#endif
