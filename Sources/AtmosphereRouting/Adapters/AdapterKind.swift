/// What an adapter is chosen for.
package enum AdapterKind: String, Sendable {
    case document = "reader for route files"
    case style, store, transport, format, coding, authenticator
    case messages = "message client"
}
