#if OAuth2 && SQLite
    import Atmosphere
    import AtmosphereOAuth2
    import AtmospherePlain
    import AtmosphereSQLite
    import AtmosphereTesting
    import AtmosphereURLSession
    import Foundation
    import Synchronization
    import Testing

    // What the guide “In an application” shows; a test holds the two against each other.

    // guide: open
    /// Opens the API that a route file of the bundle describes. The bundle cannot be written to: the copy lies in `folder`.
    func openTasks(
        _ adapters: [Adapter], routeFile: String, folder: String, tokens: any TokenStorage, metrics: TransportMetrics
    ) async throws -> Synchronizer {
        try await Synchronizer.open(
            routeFile, adapters: adapters, folder: folder, tokens: tokens, wrapping: { $0.measured(by: metrics) })
    }
    // guide: end

    // guide: tokens
    /// What the application keeps its secrets in: the keychain.
    protocol Vault: Sendable {
        func read(_ name: String) async throws -> [UInt8]?
        func write(_ bytes: [UInt8], as name: String) async throws
        func remove(_ name: String) async throws
    }

    struct VaultTokens: TokenStorage {
        let vault: any Vault

        var name: String { "the keychain" }

        func load() async throws -> [UInt8]? { try await vault.read("tasks") }
        func save(_ bytes: [UInt8]) async throws { try await vault.write(bytes, as: "tasks") }
        func remove() async throws { try await vault.remove("tasks") }
        /// One process alone uses them.
        func lock() async throws -> HeldLock { HeldLock {} }
    }
    // guide: end

    // guide: receiver
    /// Gets what the browser brings back through the application's own URL scheme.
    final class SchemeReceiver: RedirectReceiver {
        private let waiting = Mutex<AsyncStream<URL>.Continuation?>(nil)

        /// To be called with each URL that the system opens the application with.
        func open(_ url: URL) { waiting.withLock { _ = $0?.yield(url) } }

        func receive(
            state: String, onReady: (_ redirectURI: String) async throws -> Void
        ) async throws -> RedirectAnswer {
            let redirectURI = "com.example.tasks:/signed-in"
            let (urls, continuation) = AsyncStream.makeStream(of: URL.self)
            waiting.withLock { $0 = continuation }
            try await onReady(redirectURI)
            for await url in urls where url.scheme == "com.example.tasks" {
                let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
                let parameters = items.map { NamedText(name: $0.name, value: $0.value ?? "") }
                // Anybody can open such a URL; the answer to our question has our state.
                if parameters.contains(NamedText(name: "state", value: state)) {
                    return RedirectAnswer(redirectURI: redirectURI, parameters: parameters)
                }
            }
            throw CancellationError()
        }
    }
    // guide: end

    // guide: signin
    /// Tells the person what to do, and returns when somebody is signed in.
    func signIn(to api: Synchronizer, browse: @escaping @Sendable (URL) async -> Void) async throws {
        try await api.signIn { step in
            switch step {
            case .open(let url): if let url = URL(string: url) { await browse(url) }
            case .enter(let code, let url, _, _): print("open \(url) on any device and enter \(code)")
            case .wait(let message): print(message)
            }
        }
    }
    // guide: end

    // guide: step
    /// Keeps the copy in step until the task is cancelled, and asks to sign in where nothing goes on without.
    func keepInStep(_ api: Synchronizer, browse: @escaping @Sendable (URL) async -> Void) async throws {
        while true {
            do {
                return try await api.run(Synchronizer.Triggers(interval: .seconds(300)))
            } catch let error as SyncError where error.code == .signInNeeded {
                try await signIn(to: api, browse: browse)
            }
        }
    }
    // guide: end

    @Suite("The guide to the library in an application", .timeLimit(.minutes(5))) struct ApplicationGuideTests {
        private actor MemoryVault: Vault {
            private(set) var kept: [String: [UInt8]] = [:]

            func read(_ name: String) -> [UInt8]? { kept[name] }
            func write(_ bytes: [UInt8], as name: String) { kept[name] = bytes }
            func remove(_ name: String) { kept[name] = nil }
        }

        /// The call of the guide: compiled only.
        private func uncalled(
            _ receiver: SchemeReceiver, _ vault: any Vault, _ metrics: TransportMetrics
        ) async throws {
            let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
            let api = try await openTasks(
                [.plain, .urlSession, .sqlite, .oauth2(receiver: receiver)],
                routeFile: Bundle.main.path(forResource: "tasks", ofType: "json") ?? "tasks.json",
                folder: support.appending(path: "Tasks").path,
                tokens: VaultTokens(vault: vault), metrics: metrics)
            try await api.close()
        }

        /// A token endpoint, and an API that wants the token; the folder has a bundle with a route file for them.
        private func stage() throws -> (folder: TemporaryFolder, transport: ScriptedTransport) {
            let transport = ScriptedTransport { request in
                func json(_ text: String) -> Response {
                    Response(
                        status: 200, headers: ["Content-Type": "application/json"],
                        body: ResponseBody(Array(text.utf8)))
                }
                if request.url == "https://login.example.com/token" {
                    return json(#"{"access_token":"access","token_type":"Bearer","expires_in":3600}"#)
                }
                let isSigned = request.headers["Authorization"] == "Bearer access"
                return isSigned ? json(#"[{"id":1,"title":"Milk"}]"#) : Response(status: 401)
            }
            let folder = try TemporaryFolder()
            let bundle = folder.file("bundle")
            try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: false)
            try #"""
            {
                "atmosphere": 1, "base": "https://api.example.com", "transport": "scripted",
                "auth": { "oauth2": {
                    "grant": "authorization_code", "authorize": "https://login.example.com/authorize",
                    "token": "https://login.example.com/token", "client": { "id": "app" } } },
                "resources": { "tasks": {} }
            }
            """#.write(toFile: bundle + "/tasks.json", atomically: true, encoding: .utf8)
            return (folder, transport)
        }

        private func adapters(_ transport: ScriptedTransport, _ receiver: SchemeReceiver) -> [Adapter] {
            [.plain, .sqlite, .transport("scripted") { _ in transport }, .oauth2(receiver: receiver)]
        }

        /// A browser whose person signs in at once.
        private func browser(_ receiver: SchemeReceiver) -> @Sendable (URL) async -> Void {
            { url in
                let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
                let state = items.first { $0.name == "state" }?.value ?? ""
                for answer in ["code=x&state=of-somebody-else", "code=c&state=\(state)"] {
                    if let url = URL(string: "com.example.tasks:/signed-in?\(answer)") { receiver.open(url) }
                }
            }
        }

        @Test("a route file in a bundle, a folder for the copy, tokens in a vault, and a sign-in that run() asks for")
        func application() async throws {
            let (folder, transport) = try stage()
            let (receiver, vault, metrics) = (SchemeReceiver(), MemoryVault(), TransportMetrics())
            let support = folder.file("support/Tasks")
            let api = try await openTasks(
                adapters(transport, receiver), routeFile: folder.file("bundle/tasks.json"), folder: support,
                tokens: VaultTokens(vault: vault), metrics: metrics)
            #expect(try await api.signInState()?.isSignedIn == false)
            let task = ObjectURI(entity: "tasks", id: "1")
            var changes = api.changes(at: task).makeAsyncIterator()
            #expect(try await changes.next() == .some(nil))
            let browse = browser(receiver)
            let run = Task { try await keepInStep(api, browse: browse) }
            #expect(try await changes.next()??.record?["title"] == "Milk")
            run.cancel()
            await #expect(throws: CancellationError.self) { try await run.value }
            #expect(try await api.signInState()?.isSignedIn == true)
            #expect(await vault.kept.keys.sorted() == ["tasks"])
            #expect(metrics.counts.exchanges >= 2)
            try await api.signOut()
            #expect(await vault.kept.isEmpty)
            try await api.close()
            let files = FileManager.default
            #expect(try files.contentsOfDirectory(atPath: folder.file("bundle")) == ["tasks.json"])
            let made = try files.contentsOfDirectory(atPath: support)
            #expect(made.contains("tasks.db") && !made.contains { $0.contains("tokens") }, "\(made)")
            #expect(try folder.mode("support/Tasks") == 0o700)
        }

        @Test("without a storage of the application's own the tokens lie beside the store")
        func tokensBesideTheStore() async throws {
            let (folder, transport) = try stage()
            let receiver = SchemeReceiver()
            let support = folder.file("support")
            let api = try await Synchronizer.open(
                folder.file("bundle/tasks.json"), adapters: adapters(transport, receiver), folder: support)
            try await signIn(to: api, browse: browser(receiver))
            try await api.close()
            let made = try FileManager.default.contentsOfDirectory(atPath: support)
            #expect(made.contains("tasks.db") && made.contains("tasks.db.tokens"), "\(made)")
        }

        @Test("where there is nothing to sign in to, that is said")
        func nothingToSignInTo() async throws {
            let text = #"{"atmosphere":1,"base":"https://a.example","store":"memory","resources":{"tasks":{}}}"#
            let adapters: [Adapter] = [.plain, .transport("curl") { _ in ScriptedTransport() }]
            let file = try RouteFile.load(bytes: Array(text.utf8), source: "tasks.json", adapters: adapters)
            let api = try await Synchronizer.open(file, adapters: adapters)
            #expect(try await api.signInState() == nil)
            let error = await #expect(throws: SyncError.self) { try await api.signIn() }
            #expect(error?.code == .wrongState && error?.message.contains("auth.oauth2") == true)
        }

        @Test("the guide shows the code that is compiled and run here")
        func guide() throws {
            let file = URL(filePath: #filePath)
            let example = try String(contentsOf: file, encoding: .utf8)
            let tested = example.components(separatedBy: "\n    // guide: ").dropFirst().filter { !$0.hasPrefix("end") }
                .map { block in
                    block.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
                        .map { $0.hasPrefix("    ") ? String($0.dropFirst(4)) : String($0) }.joined(separator: "\n")
                }
            let root = (0..<4).reduce(file) { url, _ in url.deletingLastPathComponent() }
            let guide = try String(
                contentsOf: root.appending(path: "Sources/Atmosphere/Atmosphere.docc/InAnApplication.md"),
                encoding: .utf8)
            #expect(tested.count == 5)
            for text in tested { #expect(guide.contains("```swift\n\(text)\n```"), "\(text)") }
            let call = guide.components(separatedBy: "```swift\nlet support").last?.components(separatedBy: "\n```")
                .first
            for line in call?.split(separator: "\n") ?? [] {
                #expect(example.contains(line.trimmingCharacters(in: .whitespaces)), "not compiled: \(line)")
            }
            #expect(guide.components(separatedBy: "```swift\n").count == 7)
        }
    }
#endif
