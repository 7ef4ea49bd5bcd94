import AtmosphereTesting
import Testing

@testable import Atmosphere

@Suite("A place of a list that is gone on with later")
struct KeptPlacesTests {
    private static let header = Paging.token(next: .header("X-Next-Page"), parameter: "page", size: nil, total: nil)

    private func resource(_ paging: Paging, _ change: @escaping (inout Resource) -> Void = { _ in }) async throws
        -> Resource
    {
        let world = try await TinyWorld { tasks in
            tasks.paging = paging
            change(&tasks)
        }
        return try world.synchronizer.resource("tasks")
    }

    private func place(_ token: String) -> PullPosition { PullPosition(target: "tasks/?page=\(token)") }

    @Test(
        "is kept behind an opaque token, and not behind a number of pages or rows",
        arguments: [
            ("2", false), ("40", false), ("0", false), ("CAUQAA", true), ("2-a", true), ("-1", true), ("1.5", true)
        ])
    func tokens(_ token: String, isKept: Bool) async throws {
        let tasks = try await resource(Self.header)
        #expect(tasks.keeps(place(token)) == isKept)
        #expect(tasks.mayCount(RequestTarget("tasks/?page=\(token)")) == !isKept)
        #expect(tasks.tellsGapsLate(before: place(token)) == !isKept && !tasks.tellsGapsLate(before: nil))
    }

    @Test("is kept behind a number that is a member of the row before it, and behind a sync token")
    func otherNumbers() async throws {
        let path = try JSONPath("$.data[-1].id")
        let ofRow = try await resource(.token(next: .body(path), parameter: "page", size: nil, total: nil)) {
            $0.items = .member("data")
        }
        #expect(ofRow.keeps(place("40")))
        let sync = try await resource(Self.header) {
            $0.since = Since(parameter: "page", origin: .header("X-Next-Page"))
            $0.since?.takesLastPage = true
        }
        #expect(sync.keeps(place("40")))
    }

    @Test("is gone on with where everything is listed again some time, or nothing else is asked for")
    func goesOn() async throws {
        let plain = try await resource(Self.header) { $0.since = nil }
        #expect(plain.goesOn(from: place("2")))
        let never = try await resource(Self.header) {
            $0.since = Since(parameter: "since", origin: .field(.member("rev")))
            $0.since?.fullEvery = nil
        }
        #expect(!never.goesOn(from: place("2")) && never.goesOn(from: place("CAUQAA")))
    }
}
