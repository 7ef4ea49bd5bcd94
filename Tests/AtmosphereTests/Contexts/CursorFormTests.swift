import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("the stored form of cursors")
struct CursorFormTests {
    private static let scope = PullScope(entity: "tasks")
    private static let ended = Timestamp(milliseconds: 5)
    private static let place = PullPosition(target: "tasks?page=2", total: 7, last: .init(id: "a/ü", change: "c"))

    private func cursor(_ json: String, of scope: PullScope = CursorFormTests.scope) throws -> PullCursor {
        try PullCursor(stored: Value(json: Array(json.utf8)), scope: scope)
    }

    @Test("this is the form of version 2, which later versions must read")
    func form() throws {
        let json = """
            {"v":2,"checkpoint":"c","complete":{"ended":5,"fullEnded":4,"identity":"ann","tag":"t","tagFor":"r"},\
            "underway":{"listing":9,"full":true,"tentative":"d","position":"tasks?page=2","total":7,"last":"a/ü",\
            "lastChange":"c"},"begunAs":"bob","server":"s","request":"GET tasks","members":["2","1"]}
            """
        let expected = PullCursor(
            checkpoint: "c",
            complete: .init(
                ended: Self.ended, fullEnded: Timestamp(milliseconds: 4), identity: "ann",
                tag: .init(text: "t", target: "r")),
            underway: .init(number: 9, isFull: true, tentative: "d", position: Self.place),
            begunAs: "bob", server: "s", request: "GET tasks", members: ["2", "1"])
        #expect(String(decoding: expected.stored().json(), as: UTF8.self) == json)
        #expect(try cursor(json) == expected)
        #expect(String(decoding: PullCursor().stored().json(), as: UTF8.self) == #"{"v":2}"#)
        #expect(try cursor(#"{"v":2}"#) == PullCursor())
        let read = PullCursor(
            complete: .init(ended: Self.ended, reading: "r"), origin: "field u", reading: "s")
        #expect(try cursor(#"{"v":2,"complete":{"ended":5,"reading":"r"},"origin":"field u","reading":"s"}"#) == read)
        #expect(try PullCursor(stored: read.stored(), scope: Self.scope) == read)
        let tagged = PullCursor(complete: .init(ended: Self.ended, tag: .init(text: "t", target: "r", sequence: 8)))
        #expect(try cursor(#"{"v":2,"complete":{"ended":5,"tag":"t","tagFor":"r","tagAt":8}}"#) == tagged)
        #expect(try PullCursor(stored: tagged.stored(), scope: Self.scope) == tagged)
    }

    @Test(
        "what form 1 had side by side is read as the pull before and the listing that is under way",
        arguments: oldForms)
    func older(_ form: Older) throws {
        let read = try cursor(#"{"v":1\#(form.fields.isEmpty ? "" : ",")\#(form.fields)}"#)
        #expect(read == form.cursor)
        #expect(try PullCursor(stored: read.stored(), scope: Self.scope) == read)
    }

    /// What form 1 has of a cursor, and what it means.
    struct Older: Sendable {
        var fields: String
        var cursor: PullCursor

        init(_ fields: String, _ cursor: PullCursor) { (self.fields, self.cursor) = (fields, cursor) }
    }

    static let oldForms = never + begun + complete + alone

    /// Of a list that was never pulled to its end.
    private static let never = [
        Older("", PullCursor()),
        Older(#""full":true"#, PullCursor()),
        // Something was sent before the first listing.
        Older(#""full":true,"begunAs":"ann""#, PullCursor(begunAs: "ann")),
        // Read from a damaged store.
        Older(#""full":true,"begunAs":"ann","server":"s""#, PullCursor(begunAs: "ann", server: "s")),
        // A listing that somebody else took over.
        Older(
            #""listing":9,"full":true,"begunAs":"bob""#,
            PullCursor(underway: .init(number: 9, isFull: true), begunAs: "bob"))
    ]

    /// Of a listing that was interrupted.
    private static let begun = [
        Older(
            #""position":"tasks?page=2","listing":9,"full":true,"server":"s","request":"GET tasks""#,
            PullCursor(
                underway: .init(number: 9, isFull: true, position: .init(target: "tasks?page=2")), server: "s",
                request: "GET tasks")),
        Older(
            #""candidate":"d","position":"tasks?page=2","total":7,"last":"a/ü","lastChange":"c","listing":9,"full":true,"#
                + #""begunAs":"ann""#,
            PullCursor(
                underway: .init(number: 9, isFull: true, tentative: "d", position: place), begunAs: "ann")),
        // Its position is forgotten, and its candidate is not.
        Older(
            #""candidate":"d","listing":9,"full":true"#,
            PullCursor(underway: .init(number: 9, isFull: true, tentative: "d"))),
        // Of changes, in the order of the cursor.
        Older(
            #""cursor":"75","candidate":"75","listing":9,"lastPull":5"#,
            PullCursor(
                checkpoint: "75", complete: .init(ended: ended),
                underway: .init(number: 9, isFull: false, tentative: "75"))),
        // In the order of the cursor, before the first complete pull.
        Older(
            #""cursor":"75","candidate":"75","listing":9,"full":true"#,
            PullCursor(checkpoint: "75", underway: .init(number: 9, isFull: true, tentative: "75")))
    ]

    /// Of a list that was pulled to its end.
    private static let complete = [
        Older(
            #""cursor":"c","full":true,"identity":"ann","server":"s","request":"GET tasks","lastPull":5,"lastFull":5"#,
            PullCursor(
                checkpoint: "c", complete: .init(ended: ended, fullEnded: ended, identity: "ann"), server: "s",
                request: "GET tasks")),
        Older(
            #""full":true,"lastPull":5,"tag":"t","tagFor":"r""#,
            PullCursor(complete: .init(ended: ended, tag: .init(text: "t", target: "r")))),
        Older(#""full":true,"lastPull":5,"tagFor":"r""#, PullCursor(complete: .init(ended: ended))),
        // Accepted for somebody else, whose pull left something out.
        Older(
            #""full":true,"identity":"ann","begunAs":"bob","lastPull":5"#,
            PullCursor(complete: .init(ended: ended, identity: "ann"), begunAs: "bob")),
        Older(
            #""cursor":"c","full":true,"lastPull":5,"members":["2","1"]"#,
            PullCursor(checkpoint: "c", complete: .init(ended: ended), members: ["2", "1"])),
        // Of the pause that the origin has asked for.
        Older(#""cursor":"1000","lastPull":5"#, PullCursor(checkpoint: "1000", complete: .init(ended: ended)))
    ]

    /// Fields without the one that they belong to, which no store has.
    private static let alone = [
        Older(#""position":"tasks?page=2","candidate":"d","full":true"#, PullCursor()),
        Older(#""lastFull":5,"tag":"t","tagFor":"r""#, PullCursor()),
        Older(#""identity":"ann""#, PullCursor(begunAs: "ann")),
        Older(#""identity":"ann","begunAs":"bob""#, PullCursor(begunAs: "bob"))
    ]

    @Test("an empty view has members, in both forms, and a list has none", arguments: [1, 2])
    func members(form: Int) throws {
        #expect(try cursor(#"{"v":\#(form)}"#, of: PullScope(entity: "tasks", parent: "?mine")).members == [])
        #expect(try cursor(#"{"v":\#(form)}"#).members == nil)
    }

    @Test("a higher version of the form is refused as newer")
    func newer() {
        let error = #expect(throws: StoreError.self) { try cursor(#"{"v":3}"#) }
        #expect(error?.code == .newerFormat)
    }

    @Test(
        "a field of another kind is damage",
        arguments: [
            #"{"v":1,"listing":9,"full":1}"#, #"{"v":1,"tagFor":1}"#, #"{"v":1,"position":1}"#, #"{"cursor":"c"}"#,
            #"{"v":2,"complete":1}"#, #"{"v":2,"complete":{}}"#, #"{"v":2,"underway":{"full":true}}"#,
            #"{"v":2,"underway":[]}"#
        ])
    func damage(json: String) {
        let error = #expect(throws: StoreError.self) { try cursor(json) }
        #expect(error?.code == .damaged)
    }
}
