internal import Atmosphere

/// What an API family does beyond what a route file can say. The source asks at these places, and knows no family
/// itself; everything has a default that adds nothing.
protocol SourceStyle: Sendable {
    /// The status of an answer that lists what is wrong by field, and of one that has created an object.
    var invalidStatus: Int { get }
    var createdStatus: Int { get }
    /// A deleted object is still shown, marked as in lists.
    var showsDeleted: Bool { get }

    /// The identifier of a resource's n-th object, from 1.
    func makeID(_ resource: Resource, _ ordinal: Int) -> Value?
    /// Objects in a page: where the request asks for no number, and at most; nil for the source's own.
    func pageSize(_ resource: Resource) -> (usual: Int, most: Int)?

    /// What the API offers beside what the route file declares.
    func others(_ resource: Resource) -> [(target: SourceRoutes.Target, method: String, path: PathTemplate)]

    /// Replaces names that stand for an object.
    func resolve(_ match: inout SourceRoutes.Match, _ state: SourceState)
    /// Refuses a request that the API would not understand.
    func check(_ match: SourceRoutes.Match, _ request: SourceRequest, _ state: SourceState) throws(SourceRefusal)
    /// The members of a write as the API takes them over; `row` is nil for a create.
    func accepted(
        _ members: Value.Members, over row: SourceTable.Row?, _ resource: Resource, at time: Int64
    ) throws(SourceRefusal) -> Value.Members
    /// Refuses an object that cannot be.
    func validate(_ members: Value.Members, _ resource: Resource, invalidStatus: Int) throws(SourceRefusal)

    /// Whether a list shows a row, apart from what its parents and the lookup field say; nil where the route file
    /// decides.
    func isListed(_ row: SourceTable.Row, _ request: SourceRequest, _ resource: Resource) -> Bool?
    /// A row as an answer shows it.
    func shown(_ object: Value, of row: SourceTable.Row, _ resource: Resource) -> Value
    /// The body of a list.
    func list(_ body: Value, _ resource: Resource) -> Value

    /// What follows from a create, a change or a delete.
    func didCreate(_ key: String, _ resource: Resource, _ request: SourceRequest?, _ state: inout SourceState)
        throws(SourceRefusal)
    func didChange(_ row: SourceTable.Row, _ resource: Resource, _ state: inout SourceState)
    /// Refuses a delete, or does what follows from one.
    func willDelete(_ row: SourceTable.Row, _ resource: Resource, _ state: inout SourceState) throws(SourceRefusal)
    /// Performs an action; nil where it has no meaning of its own.
    func perform(
        _ action: Action, _ match: SourceRoutes.Match, _ request: SourceRequest, _ state: inout SourceState
    ) throws(SourceRefusal) -> SourceAnswer?

    /// A refusal in the API's words; nil for the shape that the route file's error rules have.
    func answer(_ refusal: SourceRefusal) -> SourceAnswer?
}

extension SourceStyle {
    var invalidStatus: Int { 400 }
    var createdStatus: Int { 201 }
    var showsDeleted: Bool { false }

    func makeID(_ resource: Resource, _ ordinal: Int) -> Value? { nil }
    func pageSize(_ resource: Resource) -> (usual: Int, most: Int)? { nil }
    func others(_ resource: Resource) -> [(target: SourceRoutes.Target, method: String, path: PathTemplate)] { [] }
    func resolve(_ match: inout SourceRoutes.Match, _ state: SourceState) {}
    func check(_ match: SourceRoutes.Match, _ request: SourceRequest, _ state: SourceState) throws(SourceRefusal) {}

    func accepted(
        _ members: Value.Members, over row: SourceTable.Row?, _ resource: Resource, at time: Int64
    ) throws(SourceRefusal) -> Value.Members { members }

    /// A title is not blank, and a member has the type that the route file declares.
    func validate(_ members: Value.Members, _ resource: Resource, invalidStatus: Int) throws(SourceRefusal) {
        switch members["title"] {
        case .null?: throw .fields(status: invalidStatus, [("title", "This field may not be null.")])
        case .string(let text)? where text.allSatisfy(\.isWhitespace):
            throw .fields(status: invalidStatus, [("title", "This field may not be blank.")])
        default: break
        }
        let problems = members.compactMap { member -> (field: String, message: String)? in
            guard let type = resource.fields.types[member.name], !type.allows(member.value) else { return nil }
            return (member.name, "A valid \(type.rawValue) is required.")
        }
        if !problems.isEmpty { throw .fields(status: invalidStatus, problems) }
    }

    func isListed(_ row: SourceTable.Row, _ request: SourceRequest, _ resource: Resource) -> Bool? { nil }
    func shown(_ object: Value, of row: SourceTable.Row, _ resource: Resource) -> Value { object }
    func list(_ body: Value, _ resource: Resource) -> Value { body }
    func didCreate(
        _ key: String, _ resource: Resource, _ request: SourceRequest?, _ state: inout SourceState
    ) throws(SourceRefusal) {}
    func didChange(_ row: SourceTable.Row, _ resource: Resource, _ state: inout SourceState) {}
    func willDelete(
        _ row: SourceTable.Row, _ resource: Resource, _ state: inout SourceState
    ) throws(SourceRefusal) {}
    func perform(
        _ action: Action, _ match: SourceRoutes.Match, _ request: SourceRequest, _ state: inout SourceState
    ) throws(SourceRefusal) -> SourceAnswer? { nil }
    func answer(_ refusal: SourceRefusal) -> SourceAnswer? { nil }
}

/// No family: the route file says everything.
struct UsualSource: SourceStyle {}

/// Rails' own answer to a record that is not valid is 422.
struct RailsSource: SourceStyle {
    var invalidStatus: Int { 422 }
}

extension FieldType {
    /// Whether a server that declares this type would take the value. A number may come as its text, as forms and XML
    /// have it.
    fileprivate func allows(_ value: Value) -> Bool {
        if value.isNull { return true }
        switch self {
        case .string: return value.string != nil || value.number != nil
        case .integer: return (value.number ?? value.string.flatMap { JSONNumber($0) })?.int64 != nil
        case .decimal, .float: return (value.number ?? value.string.flatMap { JSONNumber($0) }) != nil
        case .boolean: return value.bool != nil || ["true", "false", "0", "1"].contains(value.string?.lowercased())
        case .instant: return value.string.map { $0.isEmpty || Instant($0) != nil } ?? (value.number != nil)
        case .seconds, .milliseconds, .microseconds: return value == "" || moment(value) != nil
        case .date: return value.string.map { $0.isEmpty || SourceTime.isDate($0) } ?? false
        case .json: return true
        }
    }
}
