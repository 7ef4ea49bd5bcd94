import Foundation
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("The vocabulary and its guide") struct RouteVocabularyTests {
    private static let catalog = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Atmosphere/Atmosphere.docc")

    private static func index() throws -> String {
        try String(contentsOf: catalog.appending(path: "TheRouteFile.md"), encoding: .utf8)
    }

    /// The pages by question, by name.
    private static func pages() throws -> [String: String] {
        let files = try FileManager.default.contentsOfDirectory(
            at: catalog.appending(path: "TheRouteFile"), includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "md" }.reduce(into: [:]) { pages, file in
            pages[file.deletingPathExtension().lastPathComponent] = try String(contentsOf: file, encoding: .utf8)
        }
    }

    /// Every key with the words that it offers, by its own name.
    private func keys(of map: RouteMapShape) -> [(name: String, words: [String])] {
        map.keys.flatMap { key in [(key.name, words(of: key.shape))] + nested(key.shape) }
    }

    private func nested(_ shape: RouteShape) -> [(name: String, words: [String])] {
        switch shape {
        case .map(let map): keys(of: map)
        case .list(let element, _): nested(element)
        case .named(_, let value): nested(value)
        case .leaf, .anything: []
        }
    }

    private func words(of shape: RouteShape) -> [String] {
        switch shape {
        case .leaf(.choice(let words)): words
        case .named(_, let value): words(of: value)
        case .map(let map):
            switch map.word {
            case .itself(let words): words
            case .short(let table): Array(table.keys)
            case .none, .at: []
            }
        default: []
        }
    }

    @Test("the guide names every key and every word")
    func complete() throws {
        let guide = try Self.pages().values.joined(separator: "\n")
        let all = keys(of: RouteVocabulary.document) + keys(of: RouteVocabulary.resource)
        #expect(all.count > 100)
        for (key, words) in all {
            #expect(guide.contains("`\(key)`") || guide.contains(".\(key)`"), "\(key) is not in the guide")
            for word in words { #expect(guide.contains("`\(word)`"), "\(word) of \(key) is not in the guide") }
        }
    }

    @Test("the index of the guide has every key with its meaning, and leads to a page that names the key")
    func index() throws {
        let pages = try Self.pages()
        let rows = try Self.index().split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let keys = rows.map { $0[0].trimmingCharacters(in: ["`"]) }
        #expect(keys == RouteVocabulary.explainedKeys)
        for (key, row) in zip(keys, rows) {
            try #require(row.count == 3, "\(key)")
            #expect(row[1] == RouteVocabulary.meaning(of: key), "\(key)")
            let link = try #require(row[2].firstMatch(of: #/\(doc:(\w+)(?:#[\w.-]+)?\)$/#), "\(row[2])")
            let page = try #require(pages[String(link.1)], "there is no page \(link.1)")
            let name = String(key.split(separator: ".").last ?? "")
            let ways = ["`\(name)`", ".\(name)`", "\(name): "]
            #expect(ways.contains { page.contains($0) }, "\(link.1) does not name \(key)")
        }
    }

    @Test("every default of the vocabulary is a value that may stand there")
    func defaults() {
        func check(_ map: RouteMapShape) {
            for key in map.keys {
                if case .scalar(let text) = key.fallback {
                    var checker = RouteChecker()
                    _ = checker.check(RouteNode(.scalar(text, isPlain: true), at: .default), key.shape, at: key.name)
                    #expect(checker.problems.isEmpty, "\(key.name): \(checker.problems)")
                }
                if case .map(let inner) = key.shape { check(inner) }
            }
        }
        check(RouteVocabulary.document)
        check(RouteVocabulary.resource)
    }

    @Test("no key is both known and announced for later")
    func laterKeys() {
        for map in [RouteVocabulary.document, RouteVocabulary.resource, RouteVocabulary.style] {
            #expect(Set(map.later).isDisjoint(with: map.keys.map(\.name)))
        }
    }
}
