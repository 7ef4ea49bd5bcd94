extension MetaObject.Failure {
    /// Without the status of a refusal: a request that was only put off has not been refused.
    var withoutVerdict: Self {
        var failure = self
        if isVerdict { failure.status = nil }
        return failure
    }

    /// A refusal: 4xx, or a success that an error rule says is none.
    var isVerdict: Bool { status.map { (400..<500).contains($0) || (200..<300).contains($0) } ?? false }

    /// Refused for what was sent (400, 422), and not for what stands in the way.
    var isAboutContent: Bool { status == 400 || status == 422 }
}
