/// A request that a push would send.
package struct PendingRequest: Sendable {
    /// The object whose change it carries.
    package var uri: ObjectURI
    /// `create`, `update`, `delete`, `upload`, or the name of an action; of the object's edit lease `lease` or `release`.
    package var verb: String
    /// The content that it carries, or asks a place for; nil for every other request.
    package var upload: MetaObject.Upload?
    /// It asks for the object's edit lease or gives it back, and changes nothing.
    package var isLease = false
    /// Not signed: credentials are added when it is sent.
    package var request: Request
    /// Its place where the request carries several changes; nil where it carries this one alone.
    package var batch: BatchPlace?

    /// The place of a change among those that one request carries.
    package struct BatchPlace: Sendable, Hashable {
        /// From 1.
        package var number: Int
        /// How many changes the request carries.
        package var count: Int
        /// What the request says of this change.
        package var item: Value

        package init(number: Int, count: Int, item: Value) {
            self.number = number
            self.count = count
            self.item = item
        }
    }
    /// The members that its body carries, whatever its coding and without a root around them; nil for no body.
    package var members: Value.Members?
    /// The fields whose change an update or an action carries, and all that a create sends; the body may hold others.
    package var changed: [String] = []

    /// What the body of a create or an update says beside them: what the route file sets and adds, and the version.
    package var beside: Value.Members = [:]
    /// The other members of a whole object.
    package var unchanged: [String] = []
    /// What is sent in the place of the value of one of ``changed``: a link, or what the route file sets.
    package var instead: Value.Members = [:]

    package init(
        uri: ObjectURI, verb: String, upload: MetaObject.Upload? = nil, isLease: Bool = false, request: Request,
        batch: BatchPlace? = nil, members: Value.Members? = nil, changed: [String] = [], beside: Value.Members = [:],
        unchanged: [String] = [], instead: Value.Members = [:]
    ) {
        self.uri = uri
        self.verb = verb
        self.upload = upload
        self.isLease = isLease
        self.request = request
        self.batch = batch
        self.members = members
        self.changed = changed
        self.beside = beside
        self.unchanged = unchanged
        self.instead = instead
    }

    /// Stands for the token of a lease that nobody has asked for yet.
    package static let unknownToken = "…"
}
