#if Command || Demo
    internal import Atmosphere
    internal import AtmosphereReports

    /// How many objects of each entity are in which state.
    enum StatusTable {
        /// What the objects that are not in step wait for: each is counted once.
        struct Standings {
            private var counts: [String: [String: Int]] = [:]

            init(_ snapshot: any StoreSnapshot) throws {
                var last: ObjectURI?
                while true {
                    let batch = try snapshot.changed(entity: nil, after: last, limit: 1_000)
                    for meta in batch {
                        guard let mark = meta.outgoing?.mark(of: meta) else { continue }
                        counts[meta.uri.entity, default: [:]][mark, default: 0] += 1
                    }
                    guard batch.count == 1_000, let next = batch.last?.uri else { return }
                    last = next
                }
            }

            /// How many of an entity have a mark, as `Change.mark(of:)` gives it.
            func count(_ mark: String, of entity: String) -> Int { counts[entity]?[mark] ?? 0 }
        }

        static func table(_ entities: [EntityStatus], _ standings: Standings) -> Table {
            let marks = ["new", "changed", "deleted", "conflicted", "rejected", "unknown"]
            var table = Table([
                "ENTITY", ">OBJECTS", ">NEW", ">EDITED", ">DELETED", ">CONFLICTED", ">REJECTED", ">UNKNOWN", "LAST PULL"
            ])
            for entity in entities {
                let counts = [entity.counts.objects] + marks.map { standings.count($0, of: entity.entity) }
                table.add([entity.entity] + counts.map(String.init) + [entity.lastPull?.rfc3339 ?? "never"])
            }
            return table
        }
    }
#endif
