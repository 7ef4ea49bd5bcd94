#if Command
    /// What `--version` says.
    enum BuildVersion {
        /// As in the changelog and in tags.
        static let number = "0.1.0"

        /// The commit in parentheses, where the build was told of it (`make install`, `make deb`).
        static let text = text(commit: String(cString: buildCommit()))

        static func text(commit: String) -> String { "atmos \(number)" + (commit.isEmpty ? "" : " (\(commit))") }
    }

    // Declared here and not imported: with a C module of this package the compiler also loads the headers of libxml2, whose
    // ICU is another than Foundation's.
    @_silgen_name("atmos_build_commit")
    private func buildCommit() -> UnsafePointer<CChar>
#endif
