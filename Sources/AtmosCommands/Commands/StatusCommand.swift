#if Command
    internal import ArgumentParser
    internal import Atmosphere

    struct StatusCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Count objects by entity and state.",
            discussion: """
                EXAMPLE
                  atmos status --json
                """)

        @OptionGroup var global: GlobalOptions

        func run(_ output: Output) async throws {
            try await withSynchronizer(output) { synchronizer in
                let entities = try await synchronizer.status()
                if output.isJSON { return try output.json(Self.json(entities)) }
                try output.table(Self.table(entities))
            }
        }

        static func table(_ entities: [EntityStatus]) -> Table {
            var table = Table([
                "ENTITY", ">OBJECTS", ">CHANGED", ">LOCAL ONLY", ">DELETED", ">CONFLICTED", ">REJECTED", ">UNKNOWN",
                "LAST PULL"
            ])
            for entity in entities {
                let counts = entity.counts
                table.add(
                    [entity.entity]
                        + [
                            counts.objects, counts.changed, counts.localOnly, counts.deleted, counts.conflicted,
                            counts.rejected, counts.unknown
                        ].map(String.init) + [entity.lastPull?.rfc3339 ?? "never"])
            }
            return table
        }

        private static func json(_ entities: [EntityStatus]) -> Value {
            let members = entities.map { entity -> Value.Member in
                let counts = entity.counts
                let status: Value = [
                    "objects": .init(counts.objects), "changed": .init(counts.changed),
                    "localOnly": .init(counts.localOnly), "deleted": .init(counts.deleted),
                    "conflicted": .init(counts.conflicted), "rejected": .init(counts.rejected),
                    "unknown": .init(counts.unknown), "cursor": .init(entity.cursor),
                    "lastPull": .init(entity.lastPull?.rfc3339)
                ]
                return .init(name: entity.entity, value: status)
            }
            return ["entities": .object(Value.Members(members))]
        }
    }
#endif
