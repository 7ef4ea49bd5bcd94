#if Command
    internal import Atmosphere
    internal import AtmosphereReports
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    /// JSON that a command takes from its arguments, a file or standard input.
    enum InputArgument {
        /// - Parameter path: a file, or `-` for standard input.
        /// - Throws: ``CommandFailure`` that names the file and the place in it.
        static func json(fromFile path: String) throws -> Value {
            let bytes: [UInt8]
            do {
                bytes =
                    path == "-" ? try StandardStream.input.readAll() : Array(try Data(contentsOf: URL(filePath: path)))
            } catch {
                throw CommandFailure.usage(
                    "\(path) cannot be read; name a file that you may read, or - for standard input")
            }
            return try json(bytes, from: path == "-" ? "standard input" : path)
        }

        /// JSON text itself, `@FILE` or `-`.
        ///
        /// - Throws: ``CommandFailure``.
        static func json(_ argument: String) throws -> Value {
            if argument == "-" { return try json(fromFile: "-") }
            if argument.hasPrefix("@") { return try json(fromFile: String(argument.dropFirst())) }
            return try json(Array(argument.utf8), from: "--data")
        }

        private static func json(_ bytes: [UInt8], from source: String) throws -> Value {
            do {
                return try Value(json: bytes)
            } catch {
                throw CommandFailure.usage("\(source) is not JSON: \(error)")
            }
        }
    }
#endif
