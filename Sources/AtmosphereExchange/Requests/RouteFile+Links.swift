extension RouteFile {
    package func link(at path: JSONPath, of name: String?, _ resource: Resource) -> Selectors.Link {
        let entity = name == resource.idField ? resource.name : name.flatMap { resource.entity(ofLink: $0) }
        let around = entity.flatMap { self.resource($0) }?.read.path.aroundID
        return .init(path: path, prefix: around?.prefix ?? "", suffix: around?.suffix ?? "")
    }
}
