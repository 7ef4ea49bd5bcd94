/// A part that a program links and a route file names. Adapter modules offer theirs as static members:
/// `[.yaml, .djangoREST, .curl, .sqlite]`.
///
/// Each module of the core offers the adapters of its own protocols: `document` and `style` stand here, `store` beside the
/// store protocols, `transport`, `extractor`, `format`, `writer` and `authenticator` beside those of an exchange.
public struct Adapter: Sendable {
    /// What a route file calls it as each kind; several for a reader of several file name extensions.
    package let names: [AdapterKind: [String]]
    /// What is made or used of it; its type is known where its kind is.
    package let part: any Sendable
    /// Why a route file cannot choose it on this system; nil where it can.
    package private(set) var refusal: String?
    /// Keys that the route file must say where it chooses this adapter, beside `kind`.
    package let needs: [String]
    /// What it thinks of its `settings`, before anything is opened; nil where it takes any.
    package let check: (@Sendable (Value.Members) throws -> Void)?

    package init(
        _ names: [AdapterKind: [String]], _ part: any Sendable, needs: [String] = [],
        check: (@Sendable (Value.Members) throws -> Void)? = nil
    ) {
        self.names = names
        self.part = part
        self.needs = needs
        self.check = check
    }

    /// The same adapter with another part.
    package func with(part: any Sendable) -> Adapter {
        var adapter = Adapter(names, part, needs: needs, check: check)
        adapter.refusal = refusal
        return adapter
    }

    /// The same adapter, known by name only: a route file that chooses it is refused.
    ///
    /// - Parameter reason: the reason and the remedy.
    package func refused(_ reason: String) -> Adapter {
        var adapter = self
        adapter.refusal = reason
        return adapter
    }

    /// Refuses all settings.
    package static let takesNone: @Sendable (Value.Members) throws -> Void = { settings in
        guard let first = settings.names.first else { return }
        throw SettingError(first, "this adapter has no settings; remove it")
    }

    /// Reads route files in a notation.
    package static func document(_ reader: any RouteDocumentReader) -> Adapter {
        Adapter([.document: reader.extensions], reader)
    }

    /// Offers a routing style.
    public static func style(_ style: any RoutingStyle) -> Adapter { Adapter([.style: [style.name]], style) }
}
