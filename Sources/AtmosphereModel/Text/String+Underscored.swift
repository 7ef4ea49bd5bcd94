extension String {
    /// With underscores in the place of dashes.
    package var underscored: String { String(map { $0 == "-" ? "_" : $0 }) }
}
