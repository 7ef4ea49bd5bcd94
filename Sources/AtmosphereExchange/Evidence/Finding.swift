/// What a server says when it is asked for one object.
package enum Finding {
    /// The object, or that it is deleted.
    case shown(Representation)
    /// A success that is not an object as the route file declares it.
    case unreadable
    /// There is no such object. `isCertain`: the answer says so of the object, and not only that nothing is at its address.
    case none(MetaObject.Failure, isCertain: Bool)
    /// The server refuses to show it, or says nothing of it now.
    case untold(MetaObject.Failure, ErrorRules.Treatment)
}
