import AtmosphereNotifications
import Testing

@Suite("Keys and rooms")
struct KeyTests {
    @Test("a key file names users and their rooms, and may have several keys for one")
    func keys() throws {
        let file = try KeyFile(
            "# remark\n\n0123456789abcdef ann tasks tasks/*\r\nfedcba9876543210 ann\n", name: "keys")
        #expect(file.identity(of: "0123456789abcdef") == ClientIdentity(user: "ann", rooms: ["tasks", "tasks/*"]))
        #expect(file.identity(of: "fedcba9876543210")?.user == "ann")
        for wrong in ["", "0123456789abcde", "0123456789abcdef0", "0123456789abcdeg", "ann"] {
            #expect(file.identity(of: wrong) == nil)
        }
    }

    @Test("a mark behind the space is the beginning of the name, and no part of the key")
    func mark() throws {
        let file = try KeyFile("0123456789abcdef \u{301}ann lists/7", name: "keys")
        #expect(file.identity(of: "0123456789abcdef") == ClientIdentity(user: "\u{301}ann", rooms: ["lists/7"]))
        #expect(file.identity(of: "0123456789abcdef \u{301}ann") == nil)
    }

    @Test(
        "a file that cannot be used is refused with its line and without its keys",
        arguments: [
            ("short ann", "keys:1"), ("\n0123456789abcdef\n", "keys:2"), ("", "keys:"), ("# nothing", "keys:"),
            ("0123456789abcdef ann\n0123456789abcdef bob", "keys:2"), ("0123456789abcdef an\u{200B}n", "keys:1"),
            ("0123456789abcdef \(String(repeating: "x", count: 257))", "keys:1")
        ])
    func broken(text: String, place: String) {
        let failure = #expect(throws: KeyFile.Failure.self) { try KeyFile(text, name: "keys") }
        #expect(failure?.description.hasPrefix(place) == true)
        #expect(failure?.description.contains("0123456789abcdef") == false)
    }

    @Test("the last key can be taken away")
    func noKey() throws {
        let ring = KeyRing(try KeyFile("0123456789abcdef ann", name: "a"))
        let none = try KeyFile("# 0123456789abcdef ann", name: "a", mayBeEmpty: true)
        #expect(none.isEmpty)
        ring.replace(by: none)
        #expect(ring.identity(of: "0123456789abcdef") == nil)
        #expect(throws: KeyFile.Failure.self) { try KeyFile("short ann", name: "a", mayBeEmpty: true) }
    }

    @Test("replaced keys are right at once, and the old ones no longer")
    func rotation() throws {
        let ring = KeyRing(try KeyFile("0123456789abcdef ann", name: "a"))
        ring.replace(by: try KeyFile("fedcba9876543210 bob", name: "b"))
        #expect(ring.identity(of: "0123456789abcdef") == nil)
        #expect(ring.identity(of: "fedcba9876543210")?.user == "bob")
    }

    @Test(
        "a pattern allows its own room, or all below it",
        arguments: [
            (["tasks"], "tasks", true), (["tasks"], "tasks/1", false), (["tasks/*"], "tasks/1", true),
            (["tasks/*"], "tasks", false), (["tasks/*"], "tasks/", false), (["tasks/*"], "tasksX/1", false),
            (["*"], "anything", true), ([], "tasks", false),
            (["*"], "", false), (["*"], String(repeating: "x", count: 256), true),
            (["*"], String(repeating: "ä", count: 129), false),
            (["tasks/*"], "tasks/" + String(repeating: "x", count: 251), false)
        ])
    func rooms(patterns: [String], room: String, allowed: Bool) {
        #expect(ClientIdentity(user: "ann", rooms: patterns).mayJoin(room) == allowed)
    }
}
