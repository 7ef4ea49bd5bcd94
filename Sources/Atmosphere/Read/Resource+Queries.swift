extension Resource {
    /// Fields are looked for where the route file says that they stand, and those without a type of their own are
    /// compared by the route file's.
    func compiled(_ query: Query) -> Query {
        let types = fields.types
        func paths(_ name: String) -> [JSONPath]? { mapping.isIdentity ? nil : mapping.paths(of: name) }
        var query = query
        query.filter = query.filter.mapConditions { condition in
            var condition = condition
            condition.type = condition.type ?? types[condition.field]
            condition.paths = paths(condition.field) ?? condition.paths
            return condition
        }
        for index in query.order.indices {
            let name = query.order[index].field
            query.order[index].type = query.order[index].type ?? types[name]
            query.order[index].paths = paths(name) ?? query.order[index].paths
        }
        return query
    }
}
