import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Reasons that say where to look")
struct ClearReasonTests {
    @Test("a list that is not found says what was asked for")
    func list() async throws {
        let world = try await TinyWorld()
        world.server.insert("lists", ["title": "l"])
        world.server.answer("GET", with: #"{"detail":"Not found."}"#, status: 404)
        let problem = try await world.synchronizer.pull().entities["lists"]?.problem
        #expect(
            problem?.hasSuffix("; asked for was https://tiny.example/api/lists/: compare “base” and “path”") == true,
            "\(problem ?? "")")
    }

    @Test("a request of one's own that finds nothing says what was asked for")
    func request() async throws {
        let world = try await TinyWorld()
        let error = await #expect(throws: SyncError.self) {
            _ = try await world.synchronizer.request(method: "GET", path: "tasks/99/?x=1")
        }
        #expect(error?.message.hasPrefix("GET https://tiny.example/api/tasks/99/: ") == true)
    }

    @Test("a place of items that holds an object says what that has, and an item without an identifier, too")
    func members() throws {
        let extractor = JSONExtractor()
        let page = Array(#"{"data":{"rows":[1],"size":1}}"#.utf8)
        var selectors = Selectors(id: .member("id"))
        selectors.items = .member("data")
        let error = #expect(throws: ExtractionError.self) { _ = try extractor.page(in: page, selectors) }
        #expect(error?.message.contains("an object stands there, which has “rows”, “size”; set `items`") == true)
        selectors.items = nil
        let items = Array(#"[{"key":7,"name":"x"},{"id":1}]"#.utf8)
        let reason = try extractor.page(in: items, selectors).skippedReason
        #expect(reason?.contains("has nothing at $.id, only “key”, “name”; each item needs") == true, "\(reason ?? "")")
    }

    @Test(
        "a check tells values that are not of their declared type",
        arguments: [
            (.instant, "2026-01-02T03:04:05Z", nil), (.instant, 1_700_000_000, "1700000000"),
            (.date, "soon", #""soon""#), (.decimal, "1.10", nil),
            (.boolean, nil, nil), (.integer, "", nil), (.json, [1], nil)
        ] as [(FieldType, Value, String?)])
    func types(type: FieldType, value: Value, shown: String?) async throws {
        let world = try await TinyWorld { $0.fields.types = ["made": type] }
        world.server.insert("tasks", ["title": "a", "made": value])
        let notes = try await world.synchronizer.check().resources[1].notes.filter { $0.hasPrefix("types: “made”") }
        #expect(notes.count == (shown == nil ? 0 : 1))
        if let shown { #expect(notes.first?.contains("the first page has \(shown): what is no \(type)") == true) }
    }
}
