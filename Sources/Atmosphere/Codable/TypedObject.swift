/// An object of the local copy as a model: the model's own members are the object's, to read and to set.
///
/// Setting changes nothing but this value; ``Objects/save(_:)`` saves what was set.
@dynamicMemberLookup
public struct TypedObject<Model: Codable & Sendable>: Sendable, Identifiable {
    /// What the model was read from.
    public let object: LocalObject
    /// What was read, or was set since; ``Objects/save(_:)`` saves it.
    public var model: Model

    /// The object's address in the local copy.
    public var uri: ObjectURI { object.uri }
    /// The address, for lists in a user interface; the model's own `id` is `model.id`.
    public var id: ObjectURI { object.uri }
    /// How the object stands to the server.
    public var status: ObjectStatus { object.status }

    /// A member of the ``model``.
    public subscript<Member>(dynamicMember member: KeyPath<Model, Member>) -> Member { model[keyPath: member] }

    /// A member of the ``model``; setting it changes this value alone, see ``Objects/save(_:)``.
    public subscript<Member>(dynamicMember member: WritableKeyPath<Model, Member>) -> Member {
        get { model[keyPath: member] }
        set { model[keyPath: member] = newValue }
    }
}

/// Equal where they were read from the same object in the same state, and hold the same model, as far as the model can tell:
/// of one that is not `Equatable`, what was set since does not count.
extension TypedObject: Equatable {
    public static func == (left: TypedObject, right: TypedObject) -> Bool {
        guard left.object == right.object else { return false }
        guard let model = left.model as? any Equatable else { return true }
        return isEqual(model, right.model)
    }

    private static func isEqual<Left: Equatable>(_ left: Left, _ right: Any) -> Bool { (right as? Left) == left }
}
