/// How a member is written that the server reads and shows as the address of an object. Here its identifier stands there:
/// the last segment of the address.
package enum LinkForm: String, Sendable, Hashable, CaseIterable {
    /// As an absolute URL: `https://api.example.com/v1/lists/3/`.
    case url
    /// As the URL's path: `/v1/lists/3/`.
    case path
    /// As the identifier, where the server shows an address and takes none.
    case id
}
