/// Reads one notation of route files into a tree that knows its places.
package protocol RouteDocumentReader: Sendable {
    /// File name extensions without the dot.
    var extensions: [String] { get }

    /// Reads one document.
    ///
    /// - Throws: ``RouteFileError`` with one problem that names the place.
    func read(_ bytes: [UInt8], source: String) throws(RouteFileError) -> RouteNode
}
