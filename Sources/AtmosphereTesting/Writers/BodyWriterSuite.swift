public import Atmosphere

/// What every ``BodyWriter`` must do: checks for what its protocol promises.
///
/// Run each check as a test case of its own:
///
/// ```swift
/// @Test(arguments: suite.checks)
/// func conforms(_ check: ConformanceCheck) async throws { try await check.run() }
/// ```
///
/// The checks know no coding: `decode` reads each body back, as a server does. What is particular to the coding (which escapes,
/// which attributes, how a list is written) needs tests of its own.
public struct BodyWriterSuite: Sendable {
    /// Something that a coding may be unable to say. It is not asked for then; the rest is.
    public struct Content: Sendable, Hashable {
        private let name: String

        /// Null: it comes back as an empty text.
        public static let null = Content(name: "null")
        /// Kinds of values: numbers and truth values come back as their texts.
        public static let types = Content(name: "types")
        /// Lists and objects without anything in them: they are not written.
        public static let emptyContainers = Content(name: "emptyContainers")
        /// Lists whose elements are objects or lists.
        public static let nestedLists = Content(name: "nestedLists")
        /// Numbers that neither a signed integer of 64 bits nor a double (IEEE 754 binary64) holds exactly.
        public static let longNumbers = Content(name: "longNumbers")
    }

    let writer: any BodyWriter
    let layout: BodyLayout
    let lacks: Set<Content>
    let decode: @Sendable ([UInt8], BodyLayout) throws -> Value

    /// A suite for a writer.
    ///
    /// - Parameters:
    ///   - writer: used by many checks at once.
    ///   - layout: the one that bodies are written in, but for their root; an API's own settings of the coding.
    ///   - cannotHold: what the coding has no means to say; nothing by default.
    ///   - decode: reads a body of the coding, and gives what stands in the layout's root; throws for what is no body of the
    ///     coding, and where the root is not there.
    public init(
        writer: any BodyWriter, layout: BodyLayout = BodyLayout(), cannotHold: Set<Content> = [],
        decode: @escaping @Sendable (_ body: [UInt8], _ layout: BodyLayout) throws -> Value
    ) {
        self.writer = writer
        self.layout = layout
        lacks = cannotHold
        self.decode = decode
    }

    /// One for each rule; they may run at once.
    public var checks: [ConformanceCheck] { valueChecks + layoutChecks + refusalChecks }

    func check(
        _ name: String, _ body: @escaping @Sendable (BodyWriterSuite) async throws -> Void
    ) -> ConformanceCheck {
        ConformanceCheck(name) { try await body(self) }
    }

    /// A check of something that the coding can say; none where it cannot.
    func check(
        _ name: String, of content: Content, _ body: @escaping @Sendable (BodyWriterSuite) async throws -> Void
    ) -> [ConformanceCheck] {
        lacks.contains(content) ? [] : [check(name, body)]
    }

    // MARK: What the checks write

    func layout(root: String?) -> BodyLayout {
        var layout = layout
        layout.root = root
        return layout
    }

    /// What comes back of a value.
    func written(_ value: Value, root: String? = nil) throws -> Value {
        let layout = layout(root: root)
        let body: [UInt8]
        do {
            body = try writer.body(of: value, layout)
        } catch {
            throw ConformanceFailure("\(brief(value)) was not written: \(error)")
        }
        return try read(body, layout, value)
    }

    private func read(_ body: [UInt8], _ layout: BodyLayout, _ value: Value) throws -> Value {
        do {
            return try decode(body, layout)
        } catch {
            throw ConformanceFailure("the body of \(brief(value)) cannot be read: \(error)")
        }
    }

    /// The value must come back as it was, as far as the coding can say it.
    func expectKept(_ value: Value, root: String? = nil, _ what: String) throws {
        let found = simplified(try written(value, root: root))
        let expected = simplified(value)
        // Numbers to the digit.
        if !found.isWritten(like: expected), !(found == expected && lacks.contains(.longNumbers)) {
            throw ConformanceFailure("\(what): expected \(brief(expected)), got \(brief(found))")
        }
    }

    /// The value must come back as it was, or be refused: nothing else may be written for it.
    func expectKeptOrRefused(_ value: Value, _ what: String) throws {
        let layout = layout(root: nil)
        let body: [UInt8]
        do {
            body = try writer.body(of: value, layout)
        } catch let error as SyncError {
            try Expect.equal(error.code, .invalidRecord, "\(what): the code of the error")
            return try Expect.that(!error.message.isEmpty, "\(what): the error says nothing")
        } catch {
            throw ConformanceFailure("\(what): threw \(type(of: error)), not SyncError")
        }
        let found = simplified(try read(body, layout, value))
        try Expect.that(
            found == simplified(value), "\(what): expected \(brief(value)) or an error, got \(brief(found))")
    }

    /// Without what the coding cannot say.
    private func simplified(_ value: Value) -> Value {
        switch value {
        case .null: return lacks.contains(.null) ? "" : value
        case .bool, .number: return lacks.contains(.types) ? .string(value.text) : value
        case .string: return value
        case .array(let elements): return .array(elements.map(simplified))
        case .object(let members):
            let all = members.map { Value.Member(name: $0.name, value: simplified($0.value)) }
            return .object(Value.Members(all.filter { !(lacks.contains(.emptyContainers) && isEmpty($0.value)) }))
        }
    }

    private func isEmpty(_ value: Value) -> Bool {
        switch value {
        case .array(let elements): elements.isEmpty
        case .object(let members): members.isEmpty
        case .null, .bool, .number, .string: false
        }
    }

    private func brief(_ value: Value) -> String {
        let text = String(decoding: value.json(), as: UTF8.self)
        return text.count <= 300 ? text : text.prefix(300) + "…"
    }
}
