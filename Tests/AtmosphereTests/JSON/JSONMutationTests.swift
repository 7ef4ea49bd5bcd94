import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

/// SplitMix64: the same seed gives the same texts.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@Suite("JSON under mutation")
struct JSONMutationTests {
    private static let texts = [
        #"{"items":[{"id":1,"title":"Zoë \"q\" \ud83d\ude00","tags":["a",{"b":null}]},{"id":"x/é","n":-1.5e+10}],"next":null}"#,
        #"[{"id":-0,"id":2,"deleted":true,"deep":[[[[{"a":{"b":[1,2,3]}}]]]]}, {"id": 12345678901234567890 , "t" : "" }]"#,
        #"{"results":{"id":"42","etag":"\"abc\"","日本":"日本語","e":[true,false,null,0,0.0,1E5]}}"#
    ]
    private static let pieces = [
        "\"", "\\", "{", "}", "[", "]", ",", ":", "\\u", "\\ud800", "e", "-", "0", " ", "\n", "é"
    ]

    private static func mutate(_ text: [UInt8], with generator: inout SeededGenerator) -> [UInt8] {
        var text = text
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let place = Int.random(in: 0..<max(1, text.count), using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0 where !text.isEmpty: text[place] = UInt8.random(in: 0...255, using: &generator)
            case 1 where !text.isEmpty: text.remove(at: place)
            case 2: text.insert(contentsOf: pieces.randomElement(using: &generator)!.utf8, at: place)
            case 3: text.removeSubrange(place...)
            case 4:
                let end = min(text.count, place + Int.random(in: 0..<20, using: &generator))
                text.insert(contentsOf: text[place..<end], at: place)
            default:
                let end = min(text.count, place + Int.random(in: 0..<8, using: &generator))
                text.removeSubrange(place..<end)
            }
        }
        return text
    }

    private static func scans(_ text: [UInt8]) -> JSONError? {
        text.withUnsafeBufferPointer { bytes in
            do throws(JSONError) {
                _ = try JSONScanner(bytes, limits: .default).onlyValue()
                return nil
            } catch {
                return error
            }
        }
    }

    @Test("the scanner and the decoder agree on every text, and both name the same place", arguments: 0..<8)
    func agreement(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var valid = 0
        for _ in 0..<4000 {
            let text = Self.mutate(Array(Self.texts.randomElement(using: &generator)!.utf8), with: &generator)
            let scanned = Self.scans(text)
            do throws(JSONError) {
                let value = try Value(json: text)
                #expect(scanned == nil, "seed \(seed): \(String(decoding: text, as: UTF8.self))")
                #expect(try Value(json: value.json()) == value)
                valid += 1
            } catch {
                #expect(error == scanned, "seed \(seed): \(String(decoding: text, as: UTF8.self))")
            }
        }
        #expect(valid > 100)
    }

    @Test("an extracted page says the same as the decoded body", arguments: 0..<8)
    func extraction(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed) + 100)
        var selectors = Selectors(id: .member("id"))
        selectors.version = try JSONPath("etag")
        selectors.deleted = .member("deleted")
        selectors.lookup = try JSONPath("tags[1].b")
        var pages = 0
        for _ in 0..<3000 {
            let index = Int.random(in: 0..<3, using: &generator)
            selectors.items = index == 1 ? nil : .member(index == 0 ? "items" : "results")
            selectors.isList = index != 2
            selectors.next = index == 0 ? .member("next") : nil
            let text = Self.mutate(Array(Self.texts[index].utf8), with: &generator)
            guard let page = try? JSONExtractor().page(in: text, selectors) else { continue }
            pages += 1
            let value = try Value(json: text)
            let found = selectors.items?.first(in: value) ?? value
            let all = selectors.isList ? try #require(found.array) : [found]
            let items = all.filter { $0.members?["id"].flatMap { ObjectID($0) }?.text.isEmpty == false }
            #expect(page.items.count == items.count && page.skipped == all.count - items.count)
            for (item, expected) in zip(page.items, items) {
                let members = try #require(expected.members)
                #expect(Value.object(page.record(item).members) == expected)
                #expect(item.id.objectID == members["id"].flatMap { ObjectID($0) })
                #expect(item.isDeleted == ![nil, .null, false].contains(members["deleted"]))
                #expect(item.version.map(page.text) == members["etag"].flatMap { $0.isNull ? nil : $0.text })
            }
        }
        #expect(pages > 100)
    }
}
