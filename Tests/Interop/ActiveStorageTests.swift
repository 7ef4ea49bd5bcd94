#if SQLite && YAML && Curl
    import Atmosphere
    import AtmosphereCurl
    import AtmosphereRails
    import AtmosphereSQLite
    import AtmosphereYAML
    import Foundation
    import Testing

    /// Direct uploads to a real Active Storage, which verifies length, media type and MD5 of what it gets.
    @Suite(
        "A real Active Storage", .serialized,
        .enabled(if: RailsServer.hasStorage, "no Rails here, and no right to install it"))
    struct ActiveStorageTests {
        private func client(_ server: PeerServer, _ name: String) async throws -> Synchronizer {
            let file = server.folder.appendingPathComponent("\(name).yaml")
            let secrets = server.folder.appendingPathComponent("secrets")
            try "API_TOKEN=hunter22\n".write(to: secrets, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secrets.path)
            try """
            atmosphere: 1
            style: rails
            base: \(server.url)/api
            auth: { token: "secret:API_TOKEN" }
            secrets: { file: secrets }
            resources:
              notes:
                deletes: absent
                fields: { scan: { read: scan_url, write: scan } }
                attachments:
                  scan:
                    upload:
                      ask:
                        post: uploads
                        set:
                          blob:
                            filename: "{file.name}"
                            byte_size: "{file.size}"
                            checksum: "{file.md5}"
                            content_type: "{file.type}"
                        url: $.direct_upload.url
                        headers: $.direct_upload.headers
                        value: $.signed_id
                    download: { url: $ }
            """.write(to: file, atomically: true, encoding: .utf8)
            return try await Synchronizer.open(file.path, adapters: [.yaml, .rails, .curl, .sqlite])
        }

        @Test("a file goes to the storage, its record refers to it, and another client downloads it")
        func roundTrip() async throws {
            let server = try await RailsServer.startStorage(seed: 2)
            let first = try await client(server, "first")
            let second = try await client(server, "second")
            try await first.pull()
            let note = ObjectURI(entity: "notes", id: "1")
            let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
            let content = AttachmentContent(bytes, fileName: "plan ü.bin", mediaType: "application/pdf")
            try await first.attachNow(content, as: "scan", to: note, sendingEdit: false)
            let new = try await first.save(["title": "New"], as: "notes")
            let hello = AttachmentContent(Array("hello".utf8), fileName: "hello.txt", mediaType: "text/plain")
            try await first.attachNow(hello, as: "scan", to: new, sendingEdit: false)
            let report = try await first.push()
            #expect(report.updated == 1 && report.created == 1 && report.ignored.isEmpty, "\(report)")
            #expect(try await first.pending().isEmpty)
            #expect(try server.takeLog().count { $0.method == "PUT" && $0.path.hasPrefix("/rails/") } == 2)

            try await second.pull()
            let found = try await second.content(of: "scan", at: note)
            #expect(found.mediaType == "application/pdf")
            #expect(try await found.bytes.collect(upTo: 1 << 20) == bytes)
            let here = try #require(try await first.object(at: new)?.uri)
            let text = try await second.content(of: "scan", at: here)
            #expect(try await text.bytes.collect(upTo: 1 << 20) == Array("hello".utf8))
            // By a redirect of the API's server, and never with credentials: it refuses those there.
            #expect(try server.takeLog().contains { $0.path.hasPrefix("/rails/active_storage/blobs/redirect/") })
            try await first.close()
            try await second.close()
        }
    }
#endif
