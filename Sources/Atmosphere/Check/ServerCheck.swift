/// The check of a server: every resource, and what beside them is amiss.
struct ServerCheck: Sendable {
    private let synchronizer: Synchronizer

    private var routeFile: RouteFile { synchronizer.routeFile }
    private var client: ResourceClient { synchronizer.client }

    init(_ synchronizer: Synchronizer) { self.synchronizer = synchronizer }

    /// See ``Synchronizer/check(writing:)``.
    func run(writing: Bool) async throws -> CheckReport {
        var report = CheckReport()
        do {
            do {
                report.identity = try await synchronizer.identity()
            } catch let error as SyncError where error.code == .signInNeeded && !routeFile.signsReads {
                report.signInNeeded = error.message
            }
            try await checkResources(writing: writing && report.signInNeeded == nil, &report)
        } catch let error as TransportError {
            report.unreachable = error.message
        } catch let error as SyncError where error.code == .signInNeeded {
            report.signInNeeded = error.message
        } catch let error as SyncError where error.code == .unreachable {
            report.unreachable = error.message
        }
        report.warnings = warnings
        return report
    }

    private func checkResources(writing: Bool, _ report: inout CheckReport) async throws {
        // The first object of each entity stands for the parents of what is listed below it.
        var places: [String: ObjectPlace] = [:]
        for resource in routeFile.resources {
            var check = ResourceCheck(client: client, resource: resource, sequence: synchronizer.nextSequence())
            let place = try await check.run(places)
            places[resource.name] = place
            if writing { try await check.tryWrites(like: place) }
            report.resources.append(check.report)
        }
        report.promises = routeFile.promises(found: report.resources)
    }

    private var warnings: [String] {
        var warnings: [String] = []
        if let authenticator = client.authenticator,
            authenticator.usedSecrets.contains(where: { $0.value.utf8.count < Redaction.shortest })
        {
            warnings.append(
                "auth: a secret of fewer than \(Redaction.shortest) characters is found by trying, and is shown where "
                    + "a server's message has it as a word; use a longer one")
        }
        for (place, url) in secretPlaces where RequestOrigin(url).isReadableOnTheWay {
            warnings.append(
                "\(place): everybody on the way to \(RequestOrigin(url)) can read the key that goes there; "
                    + "use an address that begins with https:// or wss://")
        }
        return warnings
    }

    /// Where secrets go to, by the setting that says so.
    private var secretPlaces: [(place: String, url: String)] {
        var places: [(String, String)] = []
        if client.authenticator != nil { places.append(("base", routeFile.base)) }
        if let live = routeFile.live {
            places.append(("live.url", live.url))
            if let publish = live.publish, live.publishKey != nil { places.append(("live.publish.url", publish)) }
        }
        return places
    }
}
