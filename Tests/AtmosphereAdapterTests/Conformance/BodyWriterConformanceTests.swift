import Atmosphere
import AtmosphereTesting
import AtmosphereXML
import Foundation
import Synchronization
import Testing

/// The body writers of this package, by the suite that every writer runs.
enum TestedWriter: String, CaseIterable, CustomTestStringConvertible {
    case json, form
    #if XML
        case xml, typedXML
    #endif

    var testDescription: String { rawValue }

    var suite: BodyWriterSuite {
        switch self {
        case .json: BodyWriterSuite(writer: JSONBodyWriter(), decode: BrokenBodyWriter.decode)
        case .form:
            BodyWriterSuite(
                writer: FormBodyWriter(), cannotHold: [.null, .types, .emptyContainers, .nestedLists],
                decode: Self.form)
        #if XML
            case .xml:
                BodyWriterSuite(
                    writer: XMLBodyWriter(), cannotHold: [.null, .types, .emptyContainers, .nestedLists]
                ) { body, layout in
                    // Without types a list is what the layout declares as one.
                    var value = try Self.xml(body, layout)
                    if var members = value.members, let tags = members["tags"]?.members {
                        let elements = tags.first?.value
                        members["tags"] = elements.map { .array($0.array ?? [$0]) }
                        value = .object(members)
                    }
                    return value
                }
            case .typedXML:
                // What has no type is read as null where it is empty.
                BodyWriterSuite(
                    writer: XMLBodyWriter(), layout: Self.typed, cannotHold: [.null, .emptyContainers],
                    decode: Self.xml)
        #endif
        }
    }

    static var cases: [Case] { allCases.flatMap { one in one.suite.checks.map { Case(writer: one, check: $0) } } }

    struct Case: Sendable, CustomTestStringConvertible {
        var writer: TestedWriter
        var check: ConformanceCheck
        var testDescription: String { "\(writer.rawValue): \(check.name)" }
    }

    struct Unreadable: Error {}

    // MARK: Reading as servers do

    private static func form(_ body: [UInt8], _ layout: BodyLayout) throws -> Value {
        var form = Value.object([:])
        let text = String(decoding: body, as: UTF8.self)
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", omittingEmptySubsequences: false).map { decoded($0) }
            guard parts.count == 2, let name = parts[0], let value = parts[1] else { throw Unreadable() }
            var steps = name.split(separator: "[", omittingEmptySubsequences: false).map(String.init)
            for index in steps.indices.dropFirst() {
                guard steps[index].hasSuffix("]") else { throw Unreadable() }
                steps[index].removeLast()
            }
            form = setting(value, steps[...], in: form)
        }
        guard let root = layout.root else { return form }
        guard form.members?.count == 1, let inside = form.members?[root] else { throw Unreadable() }
        return inside
    }

    private static func decoded(_ text: Substring) -> String? {
        text.replacing("+", with: " ").removingPercentEncoding
    }

    private static func setting(_ new: String, _ path: ArraySlice<String>, in value: Value) -> Value {
        guard let name = path.first else { return .string(new) }
        if name.isEmpty { return .array((value.array ?? []) + [setting(new, path.dropFirst(), in: .null)]) }
        var members = value.members ?? [:]
        members[name] = setting(new, path.dropFirst(), in: members[name] ?? .null)
        return .object(members)
    }

    #if XML
        private static var typed: BodyLayout {
            var layout = BodyLayout()
            layout.item = "item"
            layout.xml.item = "item"
            layout.xml.writesTypes = true
            return layout
        }

        private static func xml(_ body: [UInt8], _ layout: BodyLayout) throws -> Value {
            // The root element is no member of what stands in it.
            let root = layout.root ?? "object"
            guard String(decoding: body, as: UTF8.self).contains("\n<\(root)") else { throw Unreadable() }
            return try XMLExtractor().value(in: body, limits: .default)
        }
    #endif
}

@Suite("every writer keeps every promise of BodyWriter")
struct BodyWriterConformanceTests {
    @Test("keeps", arguments: TestedWriter.cases)
    func keeps(_ tested: TestedWriter.Case) async throws { try await tested.check.run() }

    @Test("the checks have names of their own")
    func names() {
        let names = TestedWriter.json.suite.checks.map(\.name)
        #expect(Set(names).count == names.count && names.count > 15)
        let ofForms = TestedWriter.form.suite.checks.map(\.name)
        #expect(Set(names).isSuperset(of: ofForms) && ofForms.count >= 12)
    }
}

@Suite("the conformance suite of body writers catches broken writers")
struct BodyWriterSuiteSelfTests {
    @Test("a fault fails the check that is meant for it", arguments: BrokenBodyWriter.Fault.allCases)
    func catches(_ fault: BrokenBodyWriter.Fault) async throws {
        let suite = BodyWriterSuite(writer: BrokenBodyWriter(fault), decode: BrokenBodyWriter.decode)
        let check = try #require(suite.checks.first { $0.name.hasPrefix(fault.check) }, "\(fault.check)")
        await #expect(throws: ConformanceFailure.self) { try await check.run() }
    }

    @Test("without a fault nothing fails")
    func whole() async throws {
        let suite = BodyWriterSuite(writer: BrokenBodyWriter(nil), decode: BrokenBodyWriter.decode)
        for check in suite.checks { try await check.run() }
    }
}

/// A writer of JSON with one fault, which the suite must find.
struct BrokenBodyWriter: BodyWriter {
    enum Fault: String, CaseIterable, CustomTestStringConvertible {
        case losesCharacters, flattens, reversesLists, cutsListsOfObjects, makesTextsOfNumbers, leavesNullOut
        case leavesEmptyOut, roundsIntegers, roundsNumbers, hasNoMediaType, forgetsTheRoot, convertsDeclaredTypes
        case writesNothingForNothing, isDifferentEachTime, cutsNames, dropsControlCharacters, throwsItsOwnErrors
        case quotesValues

        var testDescription: String { rawValue }

        /// How the name of the check begins that must fail.
        var check: String {
            switch self {
            case .losesCharacters: "members are read back"
            case .flattens: "nested members"
            case .reversesLists: "a list is read back"
            case .cutsListsOfObjects: "objects in a list"
            case .makesTextsOfNumbers: "a number and a truth value"
            case .leavesNullOut: "null is no empty text"
            case .leavesEmptyOut: "an empty list"
            case .roundsIntegers: "integers of 64 bits"
            case .roundsNumbers: "a number keeps its digits"
            case .hasNoMediaType: "the coding has a name"
            case .forgetsTheRoot: "the whole stands in the root"
            case .convertsDeclaredTypes: "types that are declared"
            case .writesNothingForNothing: "an object without members"
            case .isDifferentEachTime: "the same value is the same body"
            case .cutsNames: "a name that means something"
            case .dropsControlCharacters: "control characters in a text"
            case .throwsItsOwnErrors: "a body that is no object"
            case .quotesValues: "an error quotes no value"
            }
        }
    }

    private final class Calls: Sendable {
        let count = Mutex(0)
    }

    struct OwnError: Error {}

    private let fault: Fault?
    private let calls = Calls()

    init(_ fault: Fault?) { self.fault = fault }

    var coding: String { "broken" }
    var contentType: String { fault == .hasNoMediaType ? "json\r\nX-Evil: 1" : "application/json" }

    func body(of value: Value, _ layout: BodyLayout) throws -> [UInt8] {
        let isObject = value.members != nil
        if fault == .throwsItsOwnErrors, !isObject { throw OwnError() }
        if fault == .quotesValues, !isObject {
            throw SyncError(code: .invalidRecord, message: "\(value.text) is no object")
        }
        if fault == .writesNothingForNothing, value == [:] { return [] }
        var layout = layout
        if fault == .forgetsTheRoot { layout.root = nil }
        var bytes = JSONBodyWriter().body(of: broken(value, layout), layout)
        if fault == .isDifferentEachTime {
            let count = calls.count.withLock { count in
                count += 1
                return count
            }
            bytes += Array(repeating: UInt8(ascii: " "), count: count % 2)
        }
        return bytes
    }

    private func broken(_ value: Value, _ layout: BodyLayout) -> Value {
        switch value {
        case .null, .bool: return value
        case .number(let number):
            switch fault {
            case .makesTextsOfNumbers: return .string(number.lexeme)
            case .roundsIntegers: return Double(number.lexeme).flatMap { Int64(exactly: $0) }.map(Self.number) ?? value
            case .roundsNumbers:
                if number.int64 != nil { return value }
                return Double(number.lexeme).flatMap { JSONNumber("\($0)") }.map { .number($0) } ?? value
            default: return value
            }
        case .string(let text):
            if fault == .losesCharacters {
                return .string(String(text.unicodeScalars.map { $0.isASCII ? Character($0) : "?" }))
            }
            if fault == .dropsControlCharacters { return .string(text.filter { !$0.isNewline }) }
            return value
        case .array(let elements):
            if fault == .cutsListsOfObjects, elements.first?.members != nil { return .array([elements[0]]) }
            let all = elements.map { broken($0, layout) }
            return .array(fault == .reversesLists ? all.reversed() : all)
        case .object(let members):
            var all: [Value.Member] = []
            for member in members {
                if fault == .leavesNullOut, member.value.isNull { continue }
                if fault == .leavesEmptyOut, member.value == [] || member.value == [:] { continue }
                var new = Value.Member(name: member.name, value: broken(member.value, layout))
                if fault == .cutsNames { new.name = String(member.name.prefix { $0 != "&" }) }
                if fault == .convertsDeclaredTypes, layout.types[member.name] == .decimal,
                    let number = JSONNumber(member.value.text)
                {
                    new.value = .number(number)
                }
                if fault == .flattens, let inner = new.value.members {
                    all += inner.map { $0 }
                } else {
                    all.append(new)
                }
            }
            return .object(Value.Members(all))
        }
    }

    private static func number(_ number: Int64) -> Value { .number(JSONNumber("\(number)")!) }

    /// Reads JSON as a server does.
    static func decode(_ body: [UInt8], _ layout: BodyLayout) throws -> Value {
        let value = try Value(json: body)
        guard let root = layout.root else { return value }
        guard value.members?.count == 1, let inside = value.members?[root] else { throw OwnError() }
        return inside
    }
}
