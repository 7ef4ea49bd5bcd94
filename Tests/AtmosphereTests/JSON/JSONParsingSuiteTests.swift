import Foundation
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting
@testable import AtmosphereStore

/// The files of the JSON parsing suite (https://github.com/nst/JSONTestSuite), kept beside the package.
enum ParsingSuite {
    /// Looked for in `shared/fixtures` beside the package or beside any folder above it.
    static let folder: URL? = {
        var parent = URL(fileURLWithPath: #filePath)
        while parent.path != "/" {
            parent.deleteLastPathComponent()
            let folder = parent.appending(path: "shared/fixtures/JSONTestSuite/test_parsing")
            if FileManager.default.fileExists(atPath: folder.path) { return folder }
        }
        return nil
    }()

    static let isPresent = folder != nil
    /// `.ci/run` says so where the folder lies beside the checkout; in a fork's CI there is none.
    static let isRequired = ProcessInfo.processInfo.environment["ATMOSPHERE_FIXTURES"] == "required"

    static func files(_ prefix: String) -> [String] {
        guard let folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            return []
        }
        return names.filter { $0.hasPrefix(prefix) && $0.hasSuffix(".json") }.sorted()
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: #require(folder).appending(path: name)))
    }
}

@Suite("JSON parsing suite")
struct JSONParsingSuiteTests {
    @Test("the files of the suite are there where CI runs", .enabled(if: ParsingSuite.isRequired))
    func present() {
        #expect(ParsingSuite.isPresent, "shared/fixtures/JSONTestSuite is missing beside the package")
    }

    @Test("the suite has its 95 valid, 188 invalid and 35 open texts", .enabled(if: ParsingSuite.isPresent))
    func complete() {
        #expect(ParsingSuite.files("y_").count == 95)
        #expect(ParsingSuite.files("n_").count == 188)
        #expect(ParsingSuite.files("i_").count == 35)
    }

    @Test(
        "a valid text is read, and reads the same when written", .enabled(if: ParsingSuite.isPresent),
        arguments: ParsingSuite.files("y_"))
    func valid(name: String) throws {
        let bytes = try ParsingSuite.bytes(name)
        let value = try Value(json: bytes)
        #expect(try Value(json: value.json()) == value)
        #expect(try Value(json: Array(value.prettyJSON().utf8)) == value)
        #expect(scans(bytes))
    }

    @Test("an invalid text is refused", .enabled(if: ParsingSuite.isPresent), arguments: ParsingSuite.files("n_"))
    func invalid(name: String) throws {
        let bytes = try ParsingSuite.bytes(name)
        let error = try #require(throws: JSONError.self) { try Value(json: bytes) }
        #expect((0...bytes.count).contains(error.offset))
        #expect(error.message.hasSuffix("at byte \(error.offset)"))
        #expect(!scans(bytes))
    }

    @Test(
        "the suite's open questions are answered by the table, and by nothing else",
        .enabled(if: ParsingSuite.isPresent))
    func openAnswersAreComplete() {
        #expect(Self.answers.map(\.name).sorted() == ParsingSuite.files("i_"))
    }

    @Test("an open question is answered as the table says", .enabled(if: ParsingSuite.isPresent), arguments: answers)
    func open(answer: Answer) throws {
        let bytes = try ParsingSuite.bytes(answer.name)
        if let code = answer.refused {
            let error = try #require(throws: JSONError.self) { try Value(json: bytes) }
            #expect(error.code == code)
            #expect(!scans(bytes))
        } else {
            let value = try Value(json: bytes)
            #expect(try Value(json: value.json()) == value)
            #expect(scans(bytes))
        }
    }

    struct Answer: CustomTestStringConvertible, Sendable {
        var name: String
        var refused: JSONError.Code?
        var testDescription: String { name }
    }

    private static func accepted(_ name: String) -> Answer { Answer(name: "i_\(name).json") }
    private static func refused(_ name: String, _ code: JSONError.Code = .invalidUTF8) -> Answer {
        Answer(name: "i_\(name).json", refused: code)
    }

    static let answers: [Answer] = [
        // A number is its lexeme: nothing is rounded, so none is too large or too small.
        accepted("number_double_huge_neg_exp"),
        accepted("number_huge_exp"),
        accepted("number_neg_int_huge_exp"),
        accepted("number_pos_double_huge_exp"),
        accepted("number_real_neg_overflow"),
        accepted("number_real_pos_overflow"),
        accepted("number_real_underflow"),
        accepted("number_too_big_neg_int"),
        accepted("number_too_big_pos_int"),
        accepted("number_very_big_negative_int"),
        // Escapes of single surrogates fit the grammar, and servers send them where JavaScript cut a text in two. One
        // of them must not stop a whole page; the record keeps its bytes, the decoded text has U+FFFD.
        accepted("object_key_lone_2nd_surrogate"),
        accepted("string_1st_surrogate_but_2nd_missing"),
        accepted("string_1st_valid_surrogate_2nd_invalid"),
        accepted("string_incomplete_surrogate_and_escape_valid"),
        accepted("string_incomplete_surrogate_pair"),
        accepted("string_incomplete_surrogates_escape_valid"),
        accepted("string_invalid_lonely_surrogate"),
        accepted("string_invalid_surrogate"),
        accepted("string_inverted_surrogates_U+1D11E"),
        accepted("string_lone_second_surrogate"),
        // JSON between systems is UTF-8 (RFC 8259 §8.1), and bytes that are not UTF-8 have no meaning to keep.
        refused("string_UTF-8_invalid_sequence"),
        refused("string_UTF8_surrogate_U+D800"),
        refused("string_invalid_utf-8"),
        refused("string_iso_latin_1"),
        refused("string_lone_utf8_continuation_byte"),
        refused("string_not_in_unicode_range"),
        refused("string_overlong_sequence_2_bytes"),
        refused("string_overlong_sequence_6_bytes"),
        refused("string_overlong_sequence_6_bytes_null"),
        refused("string_truncated-utf-8"),
        refused("string_UTF-16LE_with_BOM"),
        refused("string_utf16BE_no_BOM", .malformed),
        refused("string_utf16LE_no_BOM", .malformed),
        // RFC 8259 §8.1 forbids to send a byte order mark.
        refused("structure_UTF-8_BOM_empty_object"),
        // The default limit is 512.
        accepted("structure_500_nested_arrays")
    ]

    /// Whether the scanner alone passes the text: it must agree with the decoder.
    private func scans(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            (try? JSONScanner(bytes, limits: .default).onlyValue()) != nil
        }
    }
}
