import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("the stored form of meta objects")
struct StoredFormTests {
    private let uri = ObjectURI(entity: "tasks", id: "1")

    private var meta: MetaObject {
        let snapshot = Attempt(
            record: ObjectRecord(["a": 1]), revision: 2, sequence: 3)
        let failure = MetaObject.Failure(
            status: 422, message: "no", fields: [MetaObject.FieldMessage(field: "a", message: "b")])
        let outgoing = Change(
            phase: .rejected(.refused(snapshot), failure),
            retry: Retry(.answer, tries: 1, due: Timestamp(milliseconds: 5)), idempotencyKey: "k",
            lastError: failure)
        let confirmed = MetaObject.Confirmed(base: ObjectRecord(["a": 2]), version: "v", sequence: 9)
        return MetaObject(
            uri: uri, id: ObjectID("1", .number), state: .updated(confirmed, outgoing), revision: 7,
            waitsFor: [ObjectURI(entity: "lists", id: "x/y")])
    }

    @Test(
        "numbers that cannot be counted on from are damage, not the end of the process",
        arguments: ["9223372036854775807", "-9223372036854775808", "4611686018427387905"])
    func farNumbers(number: String) throws {
        for name in ["revision", "sequence", "answer"] {
            let far = try meta.stored(beside: nil).text.replacing(
                Regex("\"\(name)\":[0-9]+"), with: "\"\(name)\":\(number)")
            #expect(throws: StoreError.self, "\(name)") {
                try MetaObject(stored: Value(json: Array(far.utf8)), beside: nil, uri: uri)
            }
        }
        for cursor in [#"{"v":1,"listing":\#(number)}"#, #"{"v":2,"underway":{"listing":\#(number)}}"#] {
            #expect(throws: StoreError.self) {
                try PullCursor(stored: Value(json: Array(cursor.utf8)), scope: PullScope(entity: "tasks"))
            }
        }
    }

    @Test("a store whose highest sequence is the largest number there is opens, pulls and pushes")
    func lastSequence() async throws {
        let store = MemoryStore()
        try await store.write(.process, origin: .pull) { try $0.raiseSequence(to: .max) }
        let world = try await TinyWorld(store: store)
        world.server.insert("tasks", ["title": "one"])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(ObjectURI(entity: "tasks", id: "1"), setting: ["title": "two"])
        #expect(try await world.synchronizer.push().updated == 1)
    }

    @Test("this is the form of version 1, which later versions must read")
    func form() throws {
        let json = """
            {"v":1,"id":"1","wire":"number","revision":7,"waitsFor":[["lists","x/y"]],"state":"updated",\
            "confirmed":{"base":{"a":2},"version":"v","sequence":9},\
            "outgoing":{"phase":"rejected","snapshot":{"record":{"a":1},"revision":2,"sequence":3},\
            "failure":{"status":422,"message":"no","fields":[["a","b"]]},"attempts":1,"nextAttempt":5,"key":"k",\
            "lastError":{"status":422,"message":"no","fields":[["a","b"]]}}}
            """
        #expect(try MetaObject(stored: Value(json: Array(json.utf8)), beside: nil, uri: uri) == meta)
    }

    @Test("this is the form of version 3, which later versions must read")
    func words() throws {
        let json = """
            {"v":3,"id":"1","wire":"number","revision":7,"waitsFor":[["lists","x/y"]],"state":"updated",\
            "confirmed":{"base":{"a":2},"version":"v","sequence":9},\
            "outgoing":{"phase":"rejected","verdict":{"cause":"refused","attempt":{"record":{"a":1},"revision":2,\
            "sequence":3}},"failure":{"status":422,"message":"no","fields":[["a","b"]]},\
            "retry":{"tries":{"answer":1},"row":{"answer":1},"due":5},"key":"k",\
            "lastError":{"status":422,"message":"no","fields":[["a","b"]]}}}
            """
        #expect(String(decoding: meta.stored(beside: nil).json(), as: UTF8.self) == json)
        #expect(try MetaObject(stored: Value(json: Array(json.utf8)), beside: nil, uri: uri) == meta)
    }

    @Test("this is the form of version 4, which only objects have with stale members")
    func stale() throws {
        let base = ObjectRecord(["a": 2])
        var stale = meta
        stale.state = .synchronized(.init(base: base, version: "v", sequence: 9, stale: ["scan", "photo"]))
        let json = """
            {"v":4,"id":"1","wire":"number","revision":7,"waitsFor":[["lists","x/y"]],"state":"synchronized",\
            "confirmed":{"version":"v","sequence":9,"stale":["scan","photo"]}}
            """
        #expect(String(decoding: stale.stored(beside: base).json(), as: UTF8.self) == json)
        #expect(try MetaObject(stored: Value(json: Array(json.utf8)), beside: base, uri: uri) == stale)
        let wrong = json.replacing("\"photo\"", with: "1")
        #expect(throws: StoreError.self) {
            try MetaObject(stored: Value(json: Array(wrong.utf8)), beside: base, uri: uri)
        }
    }

    @Test("this is the form of version 2, which only objects have whose contents wait to be uploaded")
    func uploads() throws {
        var attached = meta
        attached.uploads = [
            .init(
                id: "u", member: "scan", digest: String(repeating: "0a", count: 32), length: 7, fileName: "cat.png",
                mediaType: "image/png")
        ]
        attached.outgoing?.phase = .sending(
            {
                var sent = Attempt(record: nil, revision: 2, sequence: 3)
                sent.upload = "u"
                return sent
            }())
        let json = """
            {"v":2,"id":"1","wire":"number","revision":7,"waitsFor":[["lists","x/y"]],"state":"updated",\
            "confirmed":{"base":{"a":2},"version":"v","sequence":9},\
            "outgoing":{"phase":"sending","snapshot":{"revision":2,"sequence":3,"upload":"u"},"attempts":1,\
            "nextAttempt":5,"key":"k","lastError":{"status":422,"message":"no","fields":[["a","b"]]}},\
            "uploads":[{"id":"u","member":"scan","digest":"\(String(repeating: "0a", count: 32))","length":7,\
            "name":"cat.png","type":"image/png"}]}
            """
        #expect(try MetaObject(stored: Value(json: Array(json.utf8)), beside: nil, uri: uri) == attached)
        for base in [nil, .null, "old"] as [Value?] {
            attached.uploads[0].base = base
            #expect(try MetaObject(stored: attached.stored(beside: nil), beside: nil, uri: uri) == attached)
        }
        for variant in variants(of: attached.stored(beside: nil)) {
            guard let read = try? MetaObject(stored: variant, beside: nil, uri: uri) else { continue }
            #expect(read.uploads.allSatisfy { $0.digest.count == 64 && !$0.digest.contains("/") })
        }
    }

    @Test(
        "what the flags and the counter of older forms said is known in words",
        arguments: Older.all)
    func older(_ form: Older) throws {
        let json =
            #"{"v":1,"id":"1","wire":"number","state":"updated","confirmed":{"base":{"a":2},"sequence":2},"#
            + #""outgoing":{\#(form.json),"key":"k"}}"#
        let read = try MetaObject(stored: Value(json: Array(json.utf8)), beside: nil, uri: uri)
        #expect(read.outgoing?.phase == form.phase && read.outgoing?.evidence == form.evidence)
        #expect(read.outgoing?.retry == form.retry)
        #expect(try MetaObject(stored: read.stored(beside: nil), beside: nil, uri: uri) == read)
    }

    /// What an older form has of a change, and what it means.
    struct Older: Sendable {
        static let sent = Attempt(record: nil, revision: 1, sequence: 3)
        static var all: [Older] {
            var forms: [Older] = []
            forms.append(
                Older(#""phase":"waiting""#, .waiting))
            forms.append(
                Older(#""phase":"waiting","mayHaveArrived":true"#, .waiting, .inDoubt(isLookedFor: false)))
            forms.append(
                Older(
                    #""phase":"waiting","mayHaveArrived":true,"begun":true,"attempts":2,"nextAttempt":9"#,
                    .waiting, .begun, Retry(.deletion, tries: 2, due: Timestamp(milliseconds: 9))))
            forms.append(
                Older(
                    #""phase":"unknown","snapshot":{"revision":1,"sequence":3},"mayHaveArrived":true,"answered":true"#,
                    .unknown(Older.sent), .underWay))
            forms.append(
                Older(
                    #""phase":"unknown","snapshot":{"revision":1,"sequence":3},"knownThere":true"#,
                    .unknown(Older.sent), .duplicate))
            forms.append(
                Older(
                    #""phase":"unknown","snapshot":{"revision":1,"sequence":3},"mayHaveArrived":true,"knownThere":true,"#
                        + #""named":true,"unshown":true,"attempts":8"#,
                    .unknown(Older.sent), .named(isLookedFor: true), Retry(.lookUp, tries: 8, isSpent: true)))
            // Nobody has refused it: it goes again under its key.
            forms.append(
                Older(
                    #""phase":"unknown","snapshot":{"revision":1,"sequence":3},"mayHaveArrived":true,"attempts":9,"#
                        + #""lastError":{"message":"slow down"}"#,
                    .unknown(Older.sent), .inDoubt(isLookedFor: false), Retry(.answer, tries: 9)))
            forms.append(
                Older(
                    #""phase":"unknown","snapshot":{"revision":1,"sequence":3},"mayHaveArrived":true,"attempts":8,"#
                        + #""lastError":{"status":422,"message":"no"}"#,
                    .unknown(Older.sent), .inDoubt(isLookedFor: false), Retry(.acceptance, tries: 8, isSpent: true)))
            forms.append(
                Older(
                    #""phase":"waiting","attempts":7,"lastError":{"status":429,"message":"slow down"}"#,
                    .waiting, .none, Retry(.answer, tries: 7)))
            forms.append(
                Older(
                    #""phase":"rejected","snapshot":{"revision":1,"sequence":0},"failure":{"message":"it refers to lists/1, "#
                        + #"which was removed here before the server knew it; edit the reference"}"#,
                    .rejected(
                        .dangling(nil),
                        .init(
                            message: "it refers to lists/1, which was removed here before the server knew it; "
                                + "edit the reference"))))
            forms.append(
                Older(
                    #""phase":"rejected","snapshot":{"revision":1,"sequence":0},"failure":{"message":"too long"}"#,
                    .rejected(.invalid, .init(message: "too long"))))
            forms.append(
                Older(
                    #""phase":"conflicted","conflict":{"theirs":{"a":2},"sequence":4}"#,
                    .conflicted(.init(.deletion, theirs: ObjectRecord(["a": 2]), version: nil, sequence: 4))))
            forms.append(
                Older(
                    #""phase":"conflicted","conflict":{"theirs":{"a":2},"sequence":4},"attempts":6,"#
                        + #""lastError":{"status":412,"message":"no"}"#,
                    .conflicted(.init(.refusedEachTime, theirs: ObjectRecord(["a": 2]), version: nil, sequence: 4)),
                    .none,
                    Retry(.acceptance, tries: 6)))
            forms.append(
                Older(
                    #""phase":"conflicted","conflict":{"theirs":{"a":2},"sequence":4,"retryAt":7}"#,
                    .conflicted(
                        .init(
                            .leased(until: Timestamp(milliseconds: 7)), theirs: ObjectRecord(["a": 2]), version: nil,
                            sequence: 4))))
            return forms
        }

        var json: String
        var phase: Change.Phase
        var evidence: Evidence
        var retry: Retry

        init(_ json: String, _ phase: Change.Phase, _ evidence: Evidence = .none, _ retry: Retry = Retry()) {
            (self.json, self.phase, self.evidence, self.retry) = (json, phase, evidence, retry)
        }
    }

    @Test("a base that is the working record is left out")
    func sharedBase() throws {
        let record = ObjectRecord(["a": 2])
        let stored = meta.stored(beside: record)
        #expect(!stored.text.contains(#""base""#))
        #expect(try MetaObject(stored: stored, beside: record, uri: uri) == meta)
        #expect(throws: StoreError.self) { try MetaObject(stored: stored, beside: nil, uri: uri) }
    }

    @Test("a higher version of the form is refused as newer")
    func newer() throws {
        var members = try #require(meta.stored(beside: nil).members)
        members["v"] = 5
        let error = #expect(throws: StoreError.self) {
            try MetaObject(stored: .object(members), beside: nil, uri: uri)
        }
        #expect(error?.code == .newerFormat)
    }

    /// Every part removed and every part replaced by another kind of value, one at a time.
    @Test("whatever is missing or of another kind, the answer is a meta object or an error that says damaged")
    func damage() throws {
        var damaged = 0
        func check(_ value: Value) {
            do {
                _ = try MetaObject(stored: value, beside: nil, uri: uri)
            } catch {
                damaged += 1
                #expect(error.code == .damaged || error.code == .newerFormat)
                #expect(error.message.contains("tasks/1"))
            }
        }
        for variant in variants(of: meta.stored(beside: nil)) { check(variant) }
        #expect(damaged > 100)
    }

    private func variants(of value: Value) -> [Value] {
        var all: [Value] = [.null, .bool(false), 5, "text", [], [:], [1, 2]]
        switch value {
        case .object(let members):
            for member in members {
                var without = members
                without[member.name] = nil
                all.append(.object(without))
                for variant in variants(of: member.value) {
                    var changed = members
                    changed[member.name] = variant
                    all.append(.object(changed))
                }
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                for variant in variants(of: element) {
                    var changed = elements
                    changed[index] = variant
                    all.append(.array(changed))
                }
            }
        default: break
        }
        return all
    }
}

@Suite("identifiers")
struct IdentifierKeyTests {
    @Test(
        "only canonical integers from 0 to 2^63 - 1 are integers",
        arguments: [
            ("0", 0), ("1", 1), ("42", 42), ("9223372036854775807", .max), ("9223372036854775808", nil),
            ("99999999999999999999", nil), ("01", nil), ("00", nil), ("-1", nil), ("+1", nil), ("1.0", nil), ("", nil),
            (" 1", nil), ("1 ", nil), ("٣", nil), ("1e3", nil)
        ] as [(String, Int64?)])
    func integers(_ text: String, _ number: Int64?) {
        let key = IdentifierKey(text)
        #expect(key == (number.map(IdentifierKey.integer) ?? .text(text)))
        #expect(key.text == text)
    }

    @Test("URIs are ordered by entity, then integers by value before texts by bytes")
    func order() {
        let inOrder = [
            "a/10", "b/0", "b/9", "b/10", "b/9223372036854775807", "b/-1", "b/01", "b/9223372036854775808", "b/A",
            "b/a", "b/e\u{301}", "b/z", "b/é"
        ]
        .compactMap { ObjectURI($0) }
        #expect(inOrder.reversed().sorted() == inOrder)
        // The same by bytes, for stores that sort by those.
        let keys = inOrder.dropFirst().map(\.sortKey)
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
        #expect(zip(inOrder, inOrder.dropFirst()).allSatisfy { $0 < $1 && !($1 < $0) && $0 != $1 })
    }

    @Test("the two Unicode forms of a letter are two identifiers")
    func bytes() {
        let composed = ObjectURI(entity: "tasks", id: "é")
        let decomposed = ObjectURI(entity: "tasks", id: "e\u{301}")
        #expect(composed.id == decomposed.id)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, ObjectURI(entity: "tasks", id: "é")]).count == 2)
    }
}
