import Foundation
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("JSON depth and size")
struct JSONDepthTests {
    private static func nested(_ depth: Int, _ open: String = "[", _ middle: String = "", _ close: String = "]")
        -> [UInt8]
    {
        Array((String(repeating: open, count: depth) + middle + String(repeating: close, count: depth)).utf8)
    }

    @Test("nesting up to the limit is read, one level more is refused", arguments: [1, 2, 63, 64, 65, 128, 129, 512])
    func limit(depth: Int) throws {
        let limits = JSONLimits(depth: depth)
        #expect(throws: Never.self) { try Value(json: Self.nested(depth), limits: limits) }
        #expect(throws: Never.self) { try Value(json: Self.nested(depth, #"{"a":"#, "1", "}"), limits: limits) }
        for text in [Self.nested(depth + 1), Self.nested(depth + 1, #"{"a":"#, "1", "}")] {
            let error = try #require(throws: JSONError.self) { try Value(json: text, limits: limits) }
            #expect(error.code == .tooDeep)
        }
    }

    @Test(
        "ten thousand, a hundred thousand and a million levels are an error, closed or not",
        arguments: [10_000, 100_000, 1_000_000])
    func deep(depth: Int) throws {
        for limits in [JSONLimits.default, JSONLimits(depth: .max)] {
            for text in [Self.nested(depth), Array(repeating: UInt8(ascii: "["), count: depth)] {
                let error = try #require(throws: JSONError.self) { try Value(json: text, limits: limits) }
                #expect(error.code == .tooDeep)
            }
        }
        var selectors = Selectors(id: .member("id"))
        selectors.limits = JSONLimits(depth: .max)
        let page = Array(#"[{"id":1,"deep":"#.utf8) + Self.nested(depth) + Array("}]".utf8)
        let error = try #require(throws: ExtractionError.self) { try JSONExtractor().page(in: page, selectors) }
        #expect(error.code == .tooLarge)
    }

    @Test("the scanner itself needs no stack for nesting")
    func scanner() throws {
        for (open, middle, close) in [("[", "", "]"), (#"{"a":"#, "1", "}"), (#"[{"b":"#, "[]", "}]")] {
            let text = Self.nested(1_000_000, open, middle, close)
            try text.withUnsafeBufferPointer { bytes in
                let whole = try JSONScanner(bytes, limits: .unlimited).onlyValue()
                #expect(whole == 0..<text.count)
            }
        }
    }

    @Test("the deepest value is read, compared, hashed, written and freed on a thread with little stack")
    func smallStack() async throws {
        let depth = JSONLimits.valueDepth
        for text in [Self.nested(depth), Self.nested(depth, #"{"a":"#, "1", "}")] {
            let isSame = await withCheckedContinuation { continuation in
                let thread = Thread {
                    let limits = JSONLimits(depth: .max)
                    let value = try? Value(json: text, limits: limits)
                    let other = try? Value(json: text, limits: limits)
                    continuation.resume(
                        returning: value != nil && value == other && value.hashValue == other.hashValue
                            && value?.json() == text && value?.prettyJSON(indent: 0).isEmpty == false)
                }
                // A debug build takes about twice the stack.
                #if DEBUG
                    thread.stackSize = 1 << 20
                #else
                    thread.stackSize = 512 << 10
                #endif
                thread.start()
            }
            #expect(isSame)
        }
    }

    @Test("deep objects that differ at the bottom are compared in linear time")
    func compareDeep() throws {
        let left = try Value(json: Self.nested(500, #"{"a":"#, "1", "}"))
        let right = try Value(json: Self.nested(500, #"{"a":"#, "2", "}"))
        #expect(left != right)
    }

    @Test("a text longer than the limit is refused before it is read")
    func size() throws {
        let text = Array(#"{"a":1}"#.utf8)
        #expect(throws: Never.self) { try Value(json: text, limits: JSONLimits(bytes: 7)) }
        let error = try #require(throws: JSONError.self) { try Value(json: text, limits: JSONLimits(bytes: 6)) }
        #expect(error.code == .tooLarge)
        #expect(error.message.contains("limit of 6"))
    }
}
