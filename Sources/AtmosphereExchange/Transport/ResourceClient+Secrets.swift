/// What a server writes can hold the secrets that were sent to it, and neither messages nor the store do.
extension ResourceClient {
    /// A text for a person, without the secrets that were sent.
    package func told(_ text: String) -> String {
        Redaction(authenticator?.usedSecrets ?? [])(text)
    }

    /// What a server says, for one line for a person (``Redaction/line(_:)``).
    package func toldLine(_ text: String) -> String { Redaction(authenticator?.usedSecrets ?? []).line(text) }

    func told(_ error: TransportError) -> TransportError {
        var error = error
        error.message = told(error.message)
        return error
    }

    package func told(_ error: SyncError) -> SyncError {
        var error = error
        error.message = told(error.message)
        return error
    }

    /// Sends a request as it is; what the transport says of a failure holds no secret.
    func sendDiscreetly(_ request: Request) async throws -> Response {
        do {
            let response = try await transport.send(request)
            try RequestRules.checkProxy(response.status, display: "\(request.method) \(URLText.display(request.url))")
            return response
        } catch let error as TransportError {
            throw told(error)
        }
    }

    /// Whether a place in a list, or a cursor, holds a secret that was sent, however it is written there: then it is not
    /// stored. A short secret is a word that any of them may have.
    package func holdsSecret(_ text: String) -> Bool {
        let secrets = (authenticator?.usedSecrets ?? []).filter { $0.value.utf8.count >= SecretForms.shortest }
        return Redaction(secrets)(text) != text
    }
}
