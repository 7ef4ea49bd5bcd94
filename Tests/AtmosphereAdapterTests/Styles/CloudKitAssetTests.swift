#if YAML
    import Atmosphere
    import AtmosphereCloudKit
    import AtmosphereTesting
    import AtmosphereYAML
    import Synchronization
    import Testing

    /// Uploads in two steps, downloads from another server, and what they mean for merging.
    @Suite("Assets of the CloudKit styles", .timeLimit(.minutes(5))) struct CloudKitAssetTests {
        private static let photo = uri("r1")

        private static func uri(_ name: String) -> ObjectURI { ObjectURI(entity: "photos", id: name) }

        private struct Key: Authenticator {
            func authorize(_ request: inout Request) async throws {
                request.headers["Authorization"] = "Bearer hunter2"
            }
            func answer(_ challenge: Challenge) async throws -> ChallengeAnswer { .signInAgain }
        }

        private func client(_ server: CloudKitServer, style: String = "cloudkit-changes") async throws -> Synchronizer {
            let text = """
                atmosphere: 1
                style: \(style)
                base: \(CloudKitServer.base)
                store: memory
                resources:
                  photos: { singular: Photo, path: Photos }

                """
            let adapters: [Adapter] = [.yaml, .cloudKit, .cloudKitChanges]
            let file = try RouteFile.load(bytes: Array(text.utf8), source: "photos.yaml", adapters: adapters)
            let now = Mutex(Int64(1_767_225_600_000))
            let count = Mutex(10_000)
            let environment = SyncEnvironment(
                now: { Timestamp(milliseconds: now.withLock { $0 }) },
                sleep: { until in now.withLock { $0 = max($0, until.milliseconds) } },
                makeUUID: { "00000000-0000-4000-8000-0000000" + String(count.withLock { ($0 += 1, $0).1 }) },
                random: { 0.5 })
            return try await Synchronizer(
                routeFile: file, store: MemoryStore(), transport: server.transport,
                style: adapters.style(named: style), authenticator: Key(), environment: environment)
        }

        private func server() -> CloudKitServer {
            let server = CloudKitServer(zone: "Photos")
            server.put("r1", ["title": "Cat"], type: "Photo")
            server.put("r2", ["title": "Dog"], type: "Photo")
            return server
        }

        private func bytes(_ content: AttachedContent) async throws -> [UInt8] {
            try await content.bytes.collect(upTo: 1 << 20)
        }

        @Test(
            "an asset is uploaded, sent with the record, shown to another client and downloaded there",
            arguments: ["cloudkit", "cloudkit-changes"])
        func roundTrip(_ style: String) async throws {
            let server = server()
            let client = try await client(server, style: style)
            try await client.pull()
            let cat = AttachmentContent([1, 2, 3, 250], fileName: "cat.jpg", mediaType: "image/jpeg")
            #expect(try await client.attachNow(cat, as: "image", to: Self.photo, sendingEdit: false) == Self.photo)
            #expect(
                server.requests.last
                    == #"assets/upload {"zoneID":{"zoneName":"Photos"},"tokens":[{"recordName":"r1","recordType":"Photo","fieldName":"image"}]}"#
            )
            let sent = try #require(server.contentRequests.last)
            #expect(sent.method == "POST" && sent.headers["Content-Type"] == "image/jpeg")
            #expect(sent.headers["Authorization"] == nil && !sent.followsRedirects)
            // An edit like any other: it can wait, and be taken back.
            #expect(try await client.pending().map(\.uri) == [Self.photo])
            let report = try await client.push()
            #expect(report.updated == 1 && report.ignored.isEmpty, "\(report)")
            #expect(try await client.pending().isEmpty)

            let other = try await self.client(server, style: style)
            try await other.pull()
            let value = try #require(try await other.record(at: Self.photo)?["image"]?.members)
            #expect(value["size"] == 4 && value["downloadURL"]?.string?.contains("${f}") == true)
            let found = try await other.content(of: "image", at: Self.photo)
            #expect(found.length == 4 && found.mediaType == "application/octet-stream")
            #expect(try await bytes(found) == [1, 2, 3, 250])
            let asked = try #require(server.contentRequests.last)
            #expect(asked.url.contains("/image?") && asked.headers["Authorization"] == nil)
        }

        @Test("an asset of a new record is uploaded before the record is there, and sent with its create")
        func create() async throws {
            let server = server()
            let client = try await client(server)
            let new = try await client.save(["title": "New"], as: "photos")
            try await client.attachNow(AttachmentContent([9], fileName: "a"), as: "image", to: new, sendingEdit: false)
            let report = try await client.push()
            #expect(report.created == 1, "\(report)")
            let content = try await client.content(of: "image", at: new)
            #expect(try await bytes(content) == [9])
        }

        @Test("a URL that has run out is asked for again, once")
        func expired() async throws {
            let server = server()
            let client = try await client(server)
            try await client.pull()
            try await client.attachNow(AttachmentContent([5, 6], fileName: "a"), as: "image", to: Self.photo)
            #expect(try await client.pending().isEmpty)
            server.expireDownloads()
            let before = server.contentRequests.count
            let content = try await client.content(of: "image", at: Self.photo)
            #expect(try await bytes(content) == [5, 6])
            #expect(server.contentRequests.count == before + 2)
        }

        @Test("another URL for the same asset is no change: a new asset here meets no conflict")
        func merge() async throws {
            let server = server()
            let client = try await client(server)
            try await client.pull()
            try await client.attachNow(
                AttachmentContent([1], fileName: "a"), as: "image", to: Self.photo, sendingEdit: false)
            try await client.push()
            try await client.attachNow(
                AttachmentContent([2], fileName: "b"), as: "image", to: Self.photo, sendingEdit: false)
            // Read again meanwhile, with another URL, and with another's edit of another field.
            try await client.refresh(Self.photo)
            #expect(try await client.status().first?.counts.conflicted == 0)
            let report = try await client.push()
            #expect(report.updated == 1, "\(report)")
            try await client.pull()
            let content = try await client.content(of: "image", at: Self.photo)
            #expect(try await bytes(content) == [2])
            // Two different assets are a conflict all the same.
            let other = try await self.client(server)
            try await other.pull()
            try await other.attachNow(
                AttachmentContent([3], fileName: "c"), as: "image", to: Self.photo, sendingEdit: false)
            try await client.attachNow(
                AttachmentContent([4], fileName: "d"), as: "image", to: Self.photo, sendingEdit: false)
            try await other.push()
            try await client.push()
            #expect(try await client.status().first?.counts.conflicted == 1)
        }

        @Test("what is refused changes nothing here")
        func refused() async throws {
            let server = CloudKitServer(zone: "Elsewhere")
            let here = try await client(server)
            let new = try await here.save(["title": "New"], as: "photos")
            let before = try await here.object(at: new)
            let error = await #expect(throws: SyncError.self) {
                try await here.attachNow(
                    AttachmentContent([1], fileName: "a"), as: "image", to: new, sendingEdit: false)
            }
            #expect(error?.code == .refused && error?.message.contains("no such zone") == true, "\(error as Any)")
            #expect(try await here.object(at: new) == before)
            let none = await #expect(throws: SyncError.self) { _ = try await here.content(of: "image", at: new) }
            #expect(none?.code == .notFound)
        }
    }
#endif
