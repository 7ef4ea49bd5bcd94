#if Command || Demo
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #else
        internal import Darwin
    #endif

    /// The standard streams, without a buffer of their own.
    struct StandardStream: Sendable {
        let descriptor: Int32

        static let input = StandardStream(descriptor: 0)
        static let output = StandardStream(descriptor: 1)
        static let error = StandardStream(descriptor: 2)

        var isTerminal: Bool { isatty(descriptor) == 1 }

        /// Columns of the terminal; nil where it is none, or does not say.
        var width: Int? {
            guard isTerminal else { return nil }
            var size = winsize()
            guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
            return Int(size.ws_col)
        }

        /// Everything that is printed passes here: on a terminal, what steers one is shown and not obeyed.
        ///
        /// - Parameter isData: nothing in it is the command's own, such as a colour.
        /// - Throws: ``OutputError``.
        func write(_ bytes: [UInt8], isData: Bool = false) throws(OutputError) {
            var rest = (isTerminal ? TerminalText.harmless(bytes, isData: isData) : bytes)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    throw errno == EPIPE ? .closed : .failed(String(cString: strerror(errno)))
                }
            }
        }

        func write(_ text: String) throws(OutputError) { try write(Array(text.utf8)) }

        /// Everything up to the end.
        ///
        /// - Throws: ``OutputError`` `failed`.
        func readAll() throws(OutputError) -> [UInt8] {
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(descriptor, &chunk, chunk.count)
                if count > 0 {
                    bytes += chunk[..<count]
                } else if count == 0 {
                    return bytes
                } else if errno != EINTR {
                    throw .failed(String(cString: strerror(errno)))
                }
            }
        }

        /// What is there, once something is; nil at the end.
        ///
        /// - Throws: ``OutputError`` `failed`.
        func readSome() throws(OutputError) -> [UInt8]? {
            var chunk = [UInt8](repeating: 0, count: 1 << 12)
            while true {
                let count = read(descriptor, &chunk, chunk.count)
                if count > 0 { return Array(chunk[..<count]) }
                if count == 0 { return nil }
                if errno != EINTR { throw .failed(String(cString: strerror(errno))) }
            }
        }
    }

    /// A stream cannot be used.
    enum OutputError: Error, Equatable {
        /// The reader has gone, as `head` does when it has enough.
        case closed
        case failed(String)
    }

    private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        // Named like the method above, so it has to be reached from outside.
        write(descriptor, bytes, count)
    }
#endif
