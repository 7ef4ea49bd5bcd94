extension Adapter {
    /// What the core has without any adapter, for names in a route file. The modules that know a part put it in front.
    fileprivate static let builtIn: [Adapter] = [
        .document(JSONDocumentReader()), Adapter([.format: ["json"], .coding: ["json"]], BuiltIn()),
        Adapter([.coding: ["form"]], BuiltIn()), Adapter([.store: ["memory"]], BuiltIn(), check: takesNone)
    ]

    private struct BuiltIn: Sendable {}
}

extension [Adapter] {
    /// The routing style of this name. Of several adapters of one name the first counts, here and below.
    ///
    /// - Throws: where there is none; the error's text names those that are linked and the product that holds the missing one.
    public func style(named name: String) throws -> any RoutingStyle {
        if let style = try find(.style, name).part as? any RoutingStyle { return style }
        throw notLinked(.style, name)
    }

    /// The reader for a route file, by its extension.
    ///
    /// - Throws: ``AdapterError`` `notLinked`.
    package func documentReader(forPath path: String) throws(AdapterError) -> any RouteDocumentReader {
        let name = path.split(separator: "/").last ?? ""
        let pieces = name.split(separator: ".", omittingEmptySubsequences: false)
        let ending = pieces.count > 1 ? pieces[pieces.count - 1].lowercased() : ""
        if let reader = try find(.document, ending).part as? any RouteDocumentReader { return reader }
        throw notLinked(.document, ending)
    }

    /// The first adapter of a kind with this name, among these and what the core has without any.
    ///
    /// - Throws: ``AdapterError`` `notLinked`, and `unsupported` for one that this system cannot use.
    package func find(_ kind: AdapterKind, _ name: String) throws(AdapterError) -> Adapter {
        if let adapter = (self + Adapter.builtIn).first(where: { $0.names[kind]?.contains(name) == true }) {
            if let refusal = adapter.refusal { throw AdapterError.unsupported(kind, name, refusal) }
            return adapter
        }
        throw notLinked(kind, name)
    }

    /// No adapter of a kind has this name; the message lists those that there are.
    package func notLinked(_ kind: AdapterKind, _ name: String) -> AdapterError {
        AdapterError.notLinked(kind, name, linked: names(kind))
    }

    /// Why there is no adapter of this name, or none that can be used here.
    package func missing(_ kind: AdapterKind, _ name: String) -> AdapterError? {
        do throws(AdapterError) {
            _ = try find(kind, name)
            return nil
        } catch {
            return error
        }
    }

    /// Where an adapter does not take its settings: the one it is about, as far as it is one, and why.
    package func complaint(_ kind: AdapterKind, _ name: String, about settings: Value.Members) -> SettingError? {
        guard let check = (try? find(kind, name))?.check else { return nil }
        do {
            try check(settings)
            return nil
        } catch {
            return error as? SettingError ?? SettingError(nil, "\(error)")
        }
    }

    /// What the route file must say where it chooses this adapter; nothing for one that is not linked.
    package func needs(of kind: AdapterKind, _ name: String) -> [String] { (try? find(kind, name))?.needs ?? [] }

    private func names(_ kind: AdapterKind) -> [String] {
        var names: [String] = []
        for adapter in Adapter.builtIn + self where adapter.refusal == nil {
            for name in adapter.names[kind] ?? [] where !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Whether any adapter is of a kind, beside those that are always there.
    package func offer(_ kind: AdapterKind) -> Bool { contains { $0.names[kind]?.isEmpty == false } }
}
