/// Which store, and where it lies.
package struct StoreSettings: Sendable, Hashable {
    /// `sqlite` (default), `json-file`, `memory`, or what another adapter offers.
    package var kind = "sqlite"
    /// Relative to the route file's folder; nil for a name made from the route file's name.
    package var path: String?
    /// What another adapter wants to know, by its own names; the stores of this package have none.
    package var settings: Value.Members = [:]

    /// SQLite, in a file named after the route file.
    package init() {}
}

extension StoreSettings {
    /// Where the store lies: ``path`` from the route file's folder, or a file named after the route file.
    package func location(beside routeFile: String) -> StoreLocation {
        let folder = routeFile.throughLastSlash
        if let path { return StoreLocation(path: path.beginsWithSlash ? path : folder + path, settings: settings) }
        let name = routeFile.afterLastSlash
        let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name
        let ending = ["sqlite": "db", "json-file": "store"][kind] ?? kind
        return StoreLocation(path: "\(folder)\(stem).\(ending)", settings: settings)
    }
}
