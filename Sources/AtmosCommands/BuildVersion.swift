#if Command
    internal import AtmosBuild

    /// What `--version` says.
    enum BuildVersion {
        /// As in the changelog and in tags.
        static let number = "0.1.0"

        /// The commit in parentheses, where the build was told of it (`make install`, `make deb`).
        static let text = text(commit: String(cString: atmos_build_commit()))

        static func text(commit: String) -> String { "atmos \(number)" + (commit.isEmpty ? "" : " (\(commit))") }
    }
#endif
