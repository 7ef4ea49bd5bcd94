#if Notifications
    /// One entry of the stream.
    struct LogEntry {
        var name: String
        var epoch: String
        var number: UInt64
        /// nil for what is no event.
        var event: PublishedEvent?
        /// Of its envelope.
        var bytes = 0
        /// Whether no script of ours wrote it.
        var isForeign = false

        /// - Throws: ``RedisFailure`` for what is no entry at all.
        init(_ value: RESPValue) throws(RedisFailure) {
            let parts = value.elements ?? []
            guard parts.count == 2, let name = parts[0].text else {
                throw RedisFailure("Redis answered with an entry in an odd form")
            }
            self.name = name
            epoch = ""
            number = 0
            let fields = parts[1].elements ?? []
            guard fields.count == 8, fields[0].text == "e", let epoch = fields[1].text, fields[2].text == "n",
                let number = fields[3].text.flatMap(UInt64.init), number > 0, number < 1 << 53, fields[4].text == "d",
                case .bulk(let envelope) = fields[5], fields[6].text == "b"
            else {
                isForeign = true
                return
            }
            self.epoch = epoch
            self.number = number
            bytes = envelope.count
            event = EventEnvelope.decode(envelope)
        }
    }
#endif
