import Atmosphere
import AtmosphereTesting
import AtmosphereXML
import Testing

/// The extractors of this package, by the suite that every extractor runs.
enum TestedExtractor: String, CaseIterable, CustomTestStringConvertible {
    case json, bareJSON, closure
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
        case roundsNumbers, throwsItsOwnErrors, neverEnds

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
        case .roundsNumbers:
            var rounded = Page(bytes: [])
            for item in page.items {
                let start = rounded.bytes.count
                rounded.bytes += Array(
                    String(decoding: page.bytes[item.record], as: UTF8.self)
                        .replacing("12345678901234567890.10", with: "12345678901234567000").utf8)
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
