import Atmosphere
import AtmosphereCurl
import AtmospherePlain
import AtmosphereSQLite
import AtmosphereYAML

/// What the command line says.
struct Options {
    static let usage = """
        usage: pull-benchmark URL STORE [--pages link|number] [--concurrent N] [--saves ROUNDS]

        Pulls the list at URL into the SQLite file STORE, which may hold an earlier pull, and prints one line.
          --pages link     each page's $.next names the next page (the default)
          --pages number   pages are asked for by number, in the query parameter “page”
          --concurrent N   requests on the wire at once (4)
          --saves ROUNDS   saves objects while it pulls, into ROUNDS new stores STORE-1, STORE-2, …;
                           prints how long the saves took

        """

    var base: String
    var path: String
    var store: String
    var isNumbered = false
    var concurrent = 4
    var rounds: Int?

    /// nil for anything that the usage does not allow.
    init?(_ arguments: [String]) {
        guard arguments.count >= 2, let (base, path) = Self.split(arguments[0]) else { return nil }
        self.base = base
        self.path = path
        store = arguments[1]
        var rest = arguments[2...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch (name, Int(value)) {
            case ("--pages", _) where value == "link" || value == "number": isNumbered = value == "number"
            case ("--concurrent", let number?): concurrent = number
            case ("--saves", let number?) where number > 0: rounds = number
            default: return nil
            }
        }
    }

    /// Scheme and host, and the path behind them.
    private static func split(_ url: String) -> (base: String, path: String)? {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[1].isEmpty else { return nil }
        return ("\(parts[0])//\(parts[2])", String(parts[3]))
    }

    /// Opens a store through a route file, as an application does.
    func open(store: String) async throws -> Synchronizer {
        let pages = isNumbered ? "{ kind: number, parameter: page }" : "{ kind: link-body, next: $.next }"
        let text = """
            atmosphere: 1
            style: plain
            base: \(base)
            store: { kind: sqlite, path: "\(store)" }
            transport: curl
            limits: { concurrent: \(concurrent) }
            resources:
              tasks:
                list: { path: \(path) }
                items: $.items
                pages: \(pages)
                version: { field: updated_at, send: none }

            """
        let adapters: [Adapter] = [.yaml, .plain, .curl, .sqlite]
        let routeFile = try RouteFile.load(bytes: Array(text.utf8), source: "benchmark.yaml", adapters: adapters)
        return try await Synchronizer.open(routeFile, adapters: adapters)
    }
}
