#if Command
    import Foundation

    /// What `--version` says.
    enum BuildVersion {
        /// As in the changelog and in tags.
        static let number = "0.1.0"

        static let text = commit.map { "atmos \(number) (\($0))" } ?? "atmos \(number)"

        /// The commit that was built, from the symbol that `make install` and the packages link; nil where the build was
        /// none of theirs.
        private static var commit: String? {
            guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "atmos_commit") else { return nil }
            return String(cString: symbol.assumingMemoryBound(to: CChar.self))
        }
    }
#endif
