import Atmosphere
import AtmosphereTesting
import AtmosphereXML
import Testing

/// The extractors of this package, by the suite that every extractor runs.
enum TestedExtractor: String, CaseIterable, CustomTestStringConvertible {
    case json, bareJSON, closure, binary
    #if XML
        case xml
    #endif

    var testDescription: String { rawValue }

    var suite: ResponseExtractorSuite {
        switch self {
        case .json: ResponseExtractorSuite(extractor: JSONExtractor()) { $0.json() }
        case .bareJSON: ResponseExtractorSuite(extractor: JSONExtractor(), shape: .bareList) { $0.json() }
        case .closure:
            // JSON once more, so that what the closure adds is what is tested.
            ResponseExtractorSuite(
                extractor: ClosureExtractor(format: "own", accept: "application/x-own") { try Value(json: $0) }
            ) { $0.json() }
        case .binary:
            ResponseExtractorSuite(extractor: TinyPack.extractor, cannotHold: [.longNumbers]) {
                try TinyPack.bytes(of: $0)
            }
        #if XML
            case .xml:
                // Typed, as Rails writes it, so that nothing is lost.
                ResponseExtractorSuite(extractor: XMLExtractor()) { value in
                    var layout = BodyLayout(root: "response")
                    layout.item = "item"
                    layout.xml.item = "item"
                    layout.xml.writesTypes = true
                    return try XMLBodyWriter().body(of: value, layout)
                }
        #endif
        }
    }

    static var cases: [Case] { allCases.flatMap { one in one.suite.checks.map { Case(extractor: one, check: $0) } } }

    struct Case: Sendable, CustomTestStringConvertible {
        var extractor: TestedExtractor
        var check: ConformanceCheck
        var testDescription: String { "\(extractor.rawValue): \(check.name)" }
    }
}

@Suite("every extractor keeps every promise of ResponseExtractor")
struct ExtractorConformanceTests {
    @Test("keeps", arguments: TestedExtractor.cases)
    func keeps(_ tested: TestedExtractor.Case) async throws { try await tested.check.run() }

    @Test("the checks have names of their own")
    func names() {
        let names = TestedExtractor.json.suite.checks.map(\.name)
        #expect(Set(names).count == names.count && names.count > 20)
        // What a format cannot hold is left out, and nothing else.
        #expect(
            Set(names).subtracting(TestedExtractor.binary.suite.checks.map(\.name)) == ["a number keeps its digits"])
        let bare = TestedExtractor.bareJSON.suite.checks.map(\.name)
        #expect(Set(names).isSuperset(of: bare) && bare.count >= 20)
    }
}

@Suite("the conformance suite of extractors catches broken extractors")
struct ExtractorSuiteSelfTests {
    @Test("a fault fails the check that is meant for it", arguments: BrokenExtractor.Fault.allCases)
    func catches(_ fault: BrokenExtractor.Fault) async throws {
        let suite = ResponseExtractorSuite(extractor: BrokenExtractor(fault)) { $0.json() }
        let check = try #require(suite.checks.first { $0.name.hasPrefix(fault.check) }, "\(fault.check)")
        // What the extractor throws where it should not is as much of a failure.
        await #expect(throws: (any Error).self) { try await check.run() }
    }

    @Test("a fault fails its check also where lists are bare", arguments: BrokenExtractor.Fault.allCases)
    func catchesInBareLists(_ fault: BrokenExtractor.Fault) async throws {
        let suite = ResponseExtractorSuite(extractor: BrokenExtractor(fault), shape: .bareList) { $0.json() }
        guard let check = suite.checks.first(where: { $0.name.hasPrefix(fault.check) }) else {
            #expect(BrokenExtractor.Fault.ofEnvelopes.contains(fault))
            return
        }
        await #expect(throws: (any Error).self) { try await check.run() }
    }

    @Test("without a fault nothing fails")
    func whole() async throws {
        for check in ResponseExtractorSuite(extractor: BrokenExtractor(nil), encode: { $0.json() }).checks {
            try await check.run()
        }
    }
}

/// An extractor with one fault, which the suite must find.
struct BrokenExtractor: ResponseExtractor {
    enum Fault: String, CaseIterable, CustomTestStringConvertible {
        case reversesItems, losesCharacters, wantsAnEnvelope, readsListsOnly, makesTextsOfNumbers, keepsTheRoot
        case addsNothing, ignoresThePrefix, givesUpForOneItem, swallowsDamage, quotesTheBody, ignoresDepth
        case ignoresSize, inventsANextPage, losesTheTotal, ignoresDeletions, losesVersions, forgivesMissingItems
        case roundsNumbers, roundsIntegers, throwsItsOwnErrors, neverEnds

        var testDescription: String { rawValue }

        /// What a body that is the list cannot say.
        static let ofEnvelopes: Set<Fault> = [
            .readsListsOnly, .inventsANextPage, .losesTheTotal, .forgivesMissingItems, .neverEnds
        ]

        /// How the name of the check begins that must fail.
        var check: String {
            switch self {
            case .reversesItems: "items are found at the declared path"
            case .losesCharacters: "a record says what the body said"
            case .wantsAnEnvelope: "a body that is the list"
            case .readsListsOnly: "one object is read"
            case .makesTextsOfNumbers: "an identifier keeps its kind"
            case .keepsTheRoot: "a root member"
            case .addsNothing: "members are added"
            case .ignoresThePrefix: "the parents' segments"
            case .givesUpForOneItem: "an item without an identifier"
            case .swallowsDamage: "a body that is cut short"
            case .quotesTheBody: "an error quotes nothing"
            case .ignoresDepth: "nesting deeper"
            case .ignoresSize: "a body larger than allowed"
            case .inventsANextPage: "there is no next page"
            case .losesTheTotal: "the number of items in all"
            case .ignoresDeletions: "a deleted item is marked"
            case .losesVersions: "the version of each item"
            case .forgivesMissingItems: "a body without the items"
            case .roundsNumbers: "a number keeps its digits"
            case .roundsIntegers: "an integer of 64 bits"
            case .throwsItsOwnErrors: "an empty body"
            case .neverEnds: "a body says whether more follows"
            }
        }
    }

    private let fault: Fault?

    init(_ fault: Fault?) { self.fault = fault }

    struct OwnError: Error {}

    var format: String { "broken" }
    var accept: String { "application/json" }

    func page(in body: [UInt8], _ given: Selectors) throws -> Page {
        var selectors = given
        switch fault {
        case .keepsTheRoot: selectors.itemRoot = nil
        case .addsNothing: selectors.additions = []
        case .ignoresThePrefix: selectors.idPrefix = nil
        case .ignoresDepth: selectors.limits.depth = 512
        case .ignoresSize: selectors.limits.bytes = 1 << 20
        case .losesTheTotal: selectors.total = nil
        case .ignoresDeletions: selectors.deleted = nil
        case .losesVersions: selectors.version = nil
        case .forgivesMissingItems: selectors.areItemsOptional = true
        case .wantsAnEnvelope where body.first == UInt8(ascii: "["): return Page(bytes: body)
        case .readsListsOnly where !selectors.isList: return Page(bytes: body)
        case .throwsItsOwnErrors where body.isEmpty: throw OwnError()
        default: break
        }
        var page: Page
        do {
            page = try JSONExtractor().page(in: body, selectors)
        } catch let error as ExtractionError {
            switch fault {
            case .swallowsDamage: return Page(bytes: body)
            case .quotesTheBody:
                throw ExtractionError(code: error.code, message: String(decoding: body, as: UTF8.self))
            default: throw error
            }
        }
        switch fault {
        case .reversesItems: page.items.reverse()
        case .losesCharacters: page.bytes = page.bytes.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }
        case .makesTextsOfNumbers:
            for index in page.items.indices {
                page.items[index].id = .text(ObjectID(page.items[index].id.objectID.text, .string))
            }
        case .givesUpForOneItem:
            if page.skipped > 0 { page.items = [] }
        case .inventsANextPage: page.next = page.next ?? ""
        case .neverEnds: page.hasMore = true
        case .roundsNumbers, .roundsIntegers:
            let (from, to) =
                fault == .roundsNumbers
                ? ("12345678901234567890.10", "12345678901234567000") : ("9007199254740993", "9007199254740992")
            var rounded = Page(bytes: [])
            for item in page.items {
                let start = rounded.bytes.count
                rounded.bytes += Array(
                    String(decoding: page.bytes[item.record], as: UTF8.self).replacing(from, with: to).utf8)
                rounded.items.append(PageItem(id: item.id, record: start..<rounded.bytes.count))
            }
            page = rounded
        default: break
        }
        return page
    }

    func value(in body: [UInt8], limits: JSONLimits) throws -> Value {
        try JSONExtractor().value(in: body, limits: limits)
    }
}

/// A binary format, much as MessagePack: a byte that says the kind, numbers of 64 bits, lengths of 32.
enum TinyPack {
    struct Unreadable: Error {}

    static let extractor = ClosureExtractor(format: "tinypack", accept: "application/x-tinypack") { body in
        var reader = Reader(bytes: body[...])
        let value = try reader.value(depth: 0)
        guard reader.bytes.isEmpty else { throw Unreadable() }
        return value
    }

    static func bytes(of value: Value) throws -> [UInt8] {
        switch value {
        case .null: return [0xC0]
        case .bool(let flag): return [flag ? 0xC3 : 0xC2]
        case .number(let number):
            if let whole = number.int64 { return [0xD3] + word(UInt64(bitPattern: whole)) }
            guard let double = Double(number.lexeme) else { throw Unreadable() }
            return [0xCB] + word(double.bitPattern)
        case .string(let text): return [0xDB] + word(UInt64(text.utf8.count)) + Array(text.utf8)
        case .array(let elements):
            return try [0xDD] + word(UInt64(elements.count)) + elements.flatMap { try bytes(of: $0) }
        case .object(let members):
            return try [0xDF] + word(UInt64(members.count))
                + members.flatMap { try bytes(of: .string($0.name)) + bytes(of: $0.value) }
        }
    }

    private static func word(_ number: UInt64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func value(depth: Int) throws -> Value {
            guard let kind = bytes.popFirst(), depth < 100 else { throw Unreadable() }
            switch kind {
            case 0xC0: return nil
            case 0xC2, 0xC3: return .bool(kind == 0xC3)
            case 0xCB:
                guard let number = JSONNumber("\(Double(bitPattern: try word()))") else { throw Unreadable() }
                return .number(number)
            case 0xD3: return .number(JSONNumber("\(Int64(bitPattern: try word()))")!)
            case 0xDB: return .string(try text())
            case 0xDD: return .array(try (0..<count()).map { _ in try value(depth: depth + 1) })
            case 0xDF:
                let members = try (0..<count()).map { _ in
                    guard let name = try value(depth: depth + 1).string else { throw Unreadable() }
                    return Value.Member(name: name, value: try value(depth: depth + 1))
                }
                return .object(Value.Members(members))
            default: throw Unreadable()
            }
        }

        private mutating func word() throws -> UInt64 {
            guard bytes.count >= 8 else { throw Unreadable() }
            defer { bytes = bytes.dropFirst(8) }
            return bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }

        /// What is announced cannot be more than the bytes that are there.
        private mutating func count() throws -> Int {
            guard let count = Int(exactly: try word()), count <= bytes.count else { throw Unreadable() }
            return count
        }

        private mutating func text() throws -> String {
            let count = try count()
            defer { bytes = bytes.dropFirst(count) }
            guard let text = String(validating: bytes.prefix(count), as: UTF8.self) else { throw Unreadable() }
            return text
        }
    }
}
