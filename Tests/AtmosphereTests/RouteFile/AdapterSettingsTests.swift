import Atmosphere
import AtmosphereTesting
import Synchronization
import Testing

@Suite("What a route file says to an adapter of somebody else's") struct AdapterSettingsTests {
    private static let levels: @Sendable (Value.Members) throws -> Void = { settings in
        try SettingError.refuseUnknown(in: settings, known: ["level", "folder"])
        guard let level = settings["level"]?.number?.int64 else {
            throw SettingError("level", "is missing; write level: 3")
        }
        guard (1...9).contains(level) else { throw SettingError("level", "must be from 1 to 9") }
    }

    private final class Recorder: Sendable {
        private let texts = Mutex<[String]>([])
        var lines: [String] { texts.withLock { $0 } }
        func note(_ line: String) { texts.withLock { $0.append(line) } }
    }

    private struct Style: RoutingStyle {
        var name: String { "plain" }
        var document: String { "{}" }
    }

    private func load(_ settings: String, adapters: [Adapter]) throws -> RouteFile {
        let text = """
            { "atmosphere": 1, "base": "https://api.test",
              \(settings),
              "resources": { "tasks": {} } }
            """
        return try RouteFile.load(bytes: Array(text.utf8), source: "api.json", adapters: [.style(Style())] + adapters)
    }

    private func text(_ settings: Value.Members) -> String { ObjectRecord(settings).description }

    @Test("a store and a transport get the settings that their checks have let through")
    func handedOn() async throws {
        let seen = Recorder()
        let adapters: [Adapter] = [
            .store("log", checking: Self.levels) { location in
                seen.note("\(location.path) \(text(location.settings))")
                return MemoryStore()
            },
            .transport("pipe", checking: Self.levels) { settings in
                seen.note(text(settings.settings))
                return ScriptedTransport()
            }
        ]
        let file = try load(
            #""store": { "kind": "log", "settings": { "level": 3, "folder": "a" } }, "# + "\n"
                + #""transport": { "kind": "pipe", "settings": { "level": 4 } }"#, adapters: adapters)
        _ = try adapters.transport(for: file.transport, beside: "api.json")
        try await adapters.openStore(for: file.store, beside: "/srv/api.json").close()
        #expect(seen.lines == [#"{"level":4}"#, #"/srv/api.log {"level":3,"folder":"a"}"#])
    }

    @Test(
        "what a check refuses is told with its place",
        arguments: [
            (
                #""store": { "kind": "log", "settings": { "level": 12 } }"#,
                "api.json:2:52: “store.settings.level” of the store “log”: must be from 1 to 9"
            ),
            (
                #""store": { "kind": "log", "settings": { "levle": 1 } }"#,
                "api.json:2:52: “store.settings.levle” of the store “log”: no such setting; did you mean “level”?"
            ),
            (
                #""store": { "kind": "log", "settings": {} }"#,
                "api.json:2:41: “store.settings.level” of the store “log”: is missing; write level: 3"
            ),
            (
                #""store": "log""#,
                "api.json:2:12: “store.settings.level” of the store “log”: is missing; write level: 3"
            ),
            (
                #""auth": { "kind": "house", "settings": { "level": 0 } }"#,
                "api.json:2:53: “auth.settings.level” of the authenticator “house”: must be from 1 to 9"
            )
        ])
    func refused(settings: String, message: String) throws {
        let adapters: [Adapter] = [
            .store("log", checking: Self.levels) { _ in MemoryStore() },
            .authenticator("house", checking: Self.levels) { _ in throw CancellationError() }
        ]
        let error = try #require(throws: RouteFileError.self) { try load(settings, adapters: adapters) }
        #expect(error.description == message)
    }

    @Test("an adapter without a check has no settings")
    func none() throws {
        let error = try #require(throws: RouteFileError.self) {
            try load(
                #""store": { "kind": "log", "settings": { "level": 1 } }"#,
                adapters: [.store("log") { _ in MemoryStore() }])
        }
        #expect(
            error.description
                == "api.json:2:52: “store.settings.level” of the store “log”: this adapter has no settings; remove it")
    }
}
