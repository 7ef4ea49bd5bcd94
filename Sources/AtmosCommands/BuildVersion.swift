#if Command
    /// What `--version` says.
    enum BuildVersion {
        /// As in the changelog and in tags.
        static let number = "0.1.0"

        static let text = "atmos \(number)"
    }
#endif
