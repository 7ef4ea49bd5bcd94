#if Command
    internal import ArgumentParser
    internal import Atmosphere

    extension ObjectURI {
        /// Reads `ENTITY/ID`; everything after the first `/` is the identifier.
        ///
        /// - Throws: `ValidationError`.
        static func argument(_ text: String) throws -> ObjectURI {
            if let uri = ObjectURI(text) { return uri }
            throw ValidationError("write ENTITY/ID, such as tasks/42; everything after the first “/” is the identifier")
        }
    }
#endif
