extension PullPosition {
    /// From the fields beside which a listing keeps its position; nil where it keeps none.
    init?(stored fields: StoredFields) throws(StoreError) {
        let (total, change) = (try fields.optionalInteger("total"), try fields.optionalText("lastChange"))
        let last = try fields.optionalText("last").map { Row(id: $0, change: change) }
        guard let target = try fields.optionalText("position") else { return nil }
        self.init(target: target, total: total, last: last)
    }
}
