/// Why an adapter does not take what the route file says under its `settings`.
///
/// An adapter's check throws it while the route file is loaded (``Adapter/store(_:checking:open:)``); the message that a
/// person sees is preceded by the place in the file and the setting's name.
public struct SettingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The member that it is about; nil for the settings as a whole. For one that is missing the message stands at
    /// `settings`, or at `kind` where there are none.
    package var name: String?
    /// The reason and the remedy: `must be a whole number from 1 to 9`. Holds no value of the file, which may be secret.
    public var message: String

    /// An error about a setting.
    ///
    /// - Parameters:
    ///   - name: the member that it is about; nil for the settings as a whole.
    ///   - message: the reason and the remedy; may hold no value of the file.
    public init(_ name: String?, _ message: String) {
        self.name = name
        self.message = message
    }

    public var description: String { message }

    /// Refuses the first member that the adapter does not know, with the nearest name that it knows.
    public static func refuseUnknown(in settings: Value.Members, known: [String]) throws(SettingError) {
        guard let name = settings.names.first(where: { !known.contains($0) }) else { return }
        let near = NearestName.of(name, among: known).map { "did you mean \($0.quoted)?" }
        throw SettingError(name, "no such setting; " + (near ?? "there are: \(known.joined(separator: ", "))"))
    }
}
