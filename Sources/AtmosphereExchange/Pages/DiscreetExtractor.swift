/// An extractor whose messages hold no secrets: the names of members are the server's words, too.
struct DiscreetExtractor: ResponseExtractor {
    let own: any ResponseExtractor
    let authenticator: any Authenticator

    var format: String { own.format }
    var accept: String { own.accept }

    func page(in body: [UInt8], _ selectors: Selectors) throws -> Page {
        try discreetly {
            var page = try own.page(in: body, selectors)
            if let reason = page.skippedReason { page.skippedReason = told(reason) }
            return page
        }
    }

    func value(in body: [UInt8], limits: JSONLimits) throws -> Value {
        try discreetly { try own.value(in: body, limits: limits) }
    }

    func value(in body: [UInt8], limits: JSONLimits, readsAttributes: Bool) throws -> Value {
        try discreetly { try own.value(in: body, limits: limits, readsAttributes: readsAttributes) }
    }

    private func told(_ text: String) -> String { Redaction(authenticator.usedSecrets)(text) }

    private func discreetly<Result>(_ read: () throws -> Result) throws -> Result {
        do {
            return try read()
        } catch var error as ExtractionError {
            error.message = told(error.message)
            throw error
        } catch var error as SyncError {
            error.message = told(error.message)
            throw error
        }
    }
}
