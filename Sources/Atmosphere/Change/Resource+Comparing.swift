extension Resource {
    /// Whether an update or delete of the object reads and merges first.
    package func comparesFirst(_ object: LocalObject) -> Bool { ChangeEngine(self).mustCompare(object) }

    /// The contents that wait for members about which a person decides, and would take the place of what the server has there.
    package func contestedUploads(of object: LocalObject) -> [MetaObject.Upload] {
        ChangeEngine(self).contested(in: object)
    }

    /// Why an update or delete compares, as the end of a sentence.
    package func whyCompared(_ object: LocalObject) -> String {
        switch version {
        case .none, .compare: "the API has no version to compare"
        case .token: "the version is only stored (send: none)"
        case .ifMatch, .body:
            if object.meta.confirmed?.version == nil {
                "the server has shown no version of it"
            } else if case .ifMatch = version {
                "its version is a weak entity tag"
            } else {
                "the delete carries no version"
            }
        }
    }
}
