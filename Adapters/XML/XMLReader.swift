#if XML
    internal import AtmosphereExchange
    internal import CLibxml2

    /// Builds an ``XMLTree`` from what libxml2's parser reports (its SAX2 interface), without the items that a stream
    /// has written.
    struct XMLReader {
        /// libxml2 refuses deeper documents by itself unless `XML_PARSE_HUGE` is set.
        static let greatestDepth = 256
        /// libxml2 looks for each new name among all others, so their number counts twice. What people write has hundreds.
        static let mostNames = 10_000
        /// libxml2 compares each attribute of an element with all others, and each name space that is declared.
        static let mostAttributes = 1_000
        /// libxml2 looks for the name space of each element among all that are declared around it.
        static let mostSpaces = 200
        /// Each element takes memory beside its text, however short it is, so a body of a given size may not consist of
        /// them alone; attributes count as well.
        private let mostElements: Int

        private var tree: XMLTree
        private var stream: XMLItemStream?
        private let depthLimit: Int
        /// The elements that are open, outermost first, and the last child of each so far.
        private var open: [(element: Int32, lastChild: Int32, hasElements: Bool)] = []
        private let readsAttributes: Bool
        private let notesLines: Bool
        /// libxml2 keeps one copy of each name, so its address is the quickest key.
        private var nameOfAddress: [UnsafePointer<xmlChar>: (index: Int32, isListItem: Bool)] = [:]
        /// Of attributes, name spaces and processing instructions.
        private var otherNames: Set<UnsafePointer<xmlChar>> = []
        /// What was found here rather than by libxml2.
        private var failure: ExtractionError?
        private let parser: xmlParserCtxtPtr

        /// libxml2 wants its set-up done once, before threads use it.
        private static let setUp: Void = xmlInitParser()

        private init(
            _ parser: xmlParserCtxtPtr, _ tree: XMLTree, _ stream: XMLItemStream?, limits: JSONLimits,
            readsAttributes: Bool, notesLines: Bool
        ) {
            self.parser = parser
            self.tree = tree
            self.stream = stream
            self.tree.usesTypes = stream?.assumptions.hasTypes ?? false
            self.readsAttributes = readsAttributes
            self.notesLines = notesLines
            depthLimit = min(limits.depth, Self.greatestDepth)
            mostElements = max(10_000, limits.bytes / 16)
        }

        /// - Parameters:
        ///   - notesLines: for messages, ``XMLTree/lines``.
        ///   - tree: without elements; it may know names.
        ///   - stream: writes the items; nil to keep all elements.
        /// - Returns: what is left as a tree, and the stream. Both are incomplete where that is refuted.
        /// - Throws: ``ExtractionError`` with line and column.
        static func read(
            _ document: [UInt8], limits: JSONLimits, readsAttributes: Bool = false, notesLines: Bool = false,
            _ tree: XMLTree = XMLTree(), _ stream: XMLItemStream? = nil
        ) throws -> (tree: XMLTree, stream: XMLItemStream?) {
            guard document.count <= min(limits.bytes, Int(Int32.max) / 2) else {
                throw ExtractionError(
                    code: .tooLarge,
                    message: "the XML has \(document.count) bytes, more than \(limits.bytes); raise limits.body"
                        + " or ask for smaller pages")
            }
            let utf8 = try XMLEncoding.utf8(document)
            guard !utf8.isEmpty else {
                throw ExtractionError(code: .malformed, message: "the body is empty where XML was expected")
            }
            _ = setUp
            return try utf8.withUnsafeBytes { bytes in
                var source = XMLSource(unread: bytes[...])
                return try withUnsafeMutablePointer(to: &source) { source in
                    // From memory libxml2 would take a copy of the whole.
                    guard let parser = xmlCreateIOParserCtxt(nil, nil, more, nil, source, XML_CHAR_ENCODING_NONE) else {
                        throw ExtractionError(code: .tooLarge, message: "no memory to read \(utf8.count) bytes of XML")
                    }
                    defer { xmlFreeParserCtxt(parser) }
                    source.pointee.parser = parser
                    var reader = XMLReader(
                        parser, tree, stream, limits: limits, readsAttributes: readsAttributes, notesLines: notesLines)
                    do {
                        try reader.parse()
                    } catch {
                        if source.pointee.isCut { throw Self.error(.tooLarge, Self.attributesReason, at: parser) }
                        throw error
                    }
                    return (reader.tree, reader.stream)
                }
            }
        }

        /// Gives libxml2 the next bytes of the document; none where it collects too many attributes for one element, which
        /// it tells only when it has compared them all.
        private static let more: xmlInputReadCallback = { source, buffer, count in
            guard let source = source?.assumingMemoryBound(to: XMLSource.self), let buffer else { return -1 }
            source.pointee.cutBeforeTooManyAttributes()
            guard !source.pointee.isCut else { return 0 }
            let next = UnsafeRawBufferPointer(rebasing: source.pointee.unread.prefix(Int(count)))
            UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)).copyMemory(from: next)
            source.pointee.unread = source.pointee.unread.dropFirst(next.count)
            return Int32(next.count)
        }

        private static let attributesReason =
            "has an element with more than \(mostAttributes) attributes, or \(mostSpaces) name spaces around one; ask for "
            + "another form of the list"

        private mutating func parse() throws {

            // No network, no messages on stderr, and UTF-8 whatever the declaration says (it was converted before).
            let options =
                XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
                | XML_PARSE_IGNORE_ENC.rawValue
            xmlCtxtUseOptions(parser, Int32(bitPattern: UInt32(options)))
            // Handlers that are left out are not called: no entity is declared, resolved or looked up.
            parser.pointee.sax.pointee = Self.handlers
            let parser = parser
            let status = withUnsafeMutablePointer(to: &self) { reader in
                parser.pointee.userData = UnsafeMutableRawPointer(reader)
                return xmlParseDocument(parser)
            }
            if let failure { throw failure }
            if stream?.isRefuted == true { return }
            guard status == 0, parser.pointee.wellFormed == 1, !tree.elements.isEmpty else {
                throw Self.error(of: parser)
            }
        }

        private static var handlers: xmlSAXHandler {
            var handlers = xmlSAXHandler()
            handlers.initialized = UInt32(XML_SAX2_MAGIC)
            handlers.internalSubset = { user, _, _, _ in XMLReader.of(user)?.pointee.documentType() }
            handlers.startElementNs = { user, name, prefix, _, spaceCount, spaces, count, _, attributes in
                guard let name, let reader = XMLReader.of(user) else { return }
                guard reader.pointee.takes(attributes: Int(count) + Int(spaceCount)) else { return }
                reader.pointee.note(prefix)
                // Prefix and URI of each name space; five pointers for each attribute, of which two are names.
                for index in 0..<2 * Int(spaceCount) { reader.pointee.note(spaces?[index]) }
                for index in 0..<Int(count) {
                    reader.pointee.note(attributes?[5 * index])
                    reader.pointee.note(attributes?[5 * index + 1])
                }
                reader.pointee.start(name, attributes, count: Int(count))
            }
            handlers.processingInstruction = { user, name, _ in XMLReader.of(user)?.pointee.note(name) }
            handlers.endElementNs = { user, _, _, _ in XMLReader.of(user)?.pointee.end() }
            handlers.characters = { user, bytes, count in
                XMLReader.of(user)?.pointee.characters(UnsafeBufferPointer(start: bytes, count: Int(count)))
            }
            // The same function as for characters: libxml2 then does not try to tell one from the other.
            handlers.ignorableWhitespace = handlers.characters
            return handlers
        }

        private static func of(_ user: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<XMLReader>? {
            user?.assumingMemoryBound(to: XMLReader.self)
        }

        private mutating func start(
            _ name: UnsafePointer<xmlChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int
        ) {
            guard !hasStopped else { return }
            guard open.count < depthLimit else {
                return stop(.tooLarge, "nests elements deeper than \(depthLimit)")
            }
            guard tree.elements.count + (stream?.released ?? 0) + count < mostElements else {
                return stop(
                    .tooLarge, "has more than \(mostElements) elements; raise limits.body or ask for smaller pages")
            }
            let (index, isListItem) = self.name(at: name)
            guard failure == nil else { return }
            let (kind, hasOthers) = Self.kind(attributes, count: count)
            // A list is one in documents without types, too.
            if let kind, kind != .array, !tree.usesTypes {
                tree.usesTypes = true
                stream?.typesAppear()
            }
            let element = Int32(tree.elements.count)
            let isWritten = stream?.opens(element, named: index, in: open.last?.element, &tree) ?? false
            guard stream?.isRefuted != true else { return xmlStopParser(parser) }
            if let (parent, last, hasElements) = open.last {
                if !isWritten {
                    if last >= 0 { tree[last].nextSibling = element } else { tree[parent].firstChild = element }
                    open[open.count - 1].lastChild = element
                }
                if hasElements {
                    tree[parent].holdsListItems = tree[parent].holdsListItems && isListItem
                } else {
                    tree[parent].holdsListItems = isListItem
                    // Text beside children is not read.
                    dropText(of: parent, tree.text[Int(tree[parent].textStart)...])
                    tree.text.removeLast(tree.text.count - Int(tree[parent].textStart))
                    tree[parent].textEnd = tree[parent].textStart
                }
                open[open.count - 1].hasElements = true
            }
            tree.elements.append(
                XMLTree.Element(name: index, kind: kind ?? .untyped, textStart: Int32(tree.text.count)))
            if notesLines { tree.lines.append(Int32(clamping: xmlSAX2GetLineNumber(parser))) }
            open.append((element, -1, false))
            if readsAttributes {
                readAttributes(attributes, count: count)
            } else if hasOthers {
                tree[element].dropsAttributes = true
                tree[element].isShort = true
            }
        }

        private mutating func takes(attributes count: Int) -> Bool {
            // Two pointers for each name space.
            guard count <= Self.mostAttributes, parser.pointee.nsNr <= 2 * Self.mostSpaces else {
                stop(.tooLarge, Self.attributesReason)
                return false
            }
            return true
        }

        private mutating func note(_ name: UnsafePointer<xmlChar>?) {
            guard !hasStopped, let name, otherNames.insert(name).inserted else { return }
            countNames()
        }

        private mutating func countNames() {
            guard nameOfAddress.count + otherNames.count > Self.mostNames else { return }
            stop(
                .tooLarge,
                "has more than \(Self.mostNames) different names; where names are data, ask for another form of the list"
            )
        }

        private mutating func end() {
            guard !hasStopped, let (element, lastChild, hasElements) = open.last else { return }
            if !hasElements { tree[element].textEnd = Int32(tree.text.count) }
            // Beside attributes the text needs a name of its own.
            if !hasElements, lastChild >= 0, !tree.trimmedText(of: element).isEmpty {
                let (start, end) = (tree[element].textStart, tree[element].textEnd)
                append("#text", start: start, end: end)
            }
            if tree[element].kind == .null {
                if lastChild >= 0 {
                    tree[element].dropsText = true
                    tree[element].isShort = true
                } else {
                    dropText(of: element, tree.text(of: element))
                }
            }
            open.removeLast()
            if tree[element].isShort, let parent = open.last?.element { tree[parent].isShort = true }
            stream?.closes(element, &tree)
        }

        private var hasStopped: Bool { failure != nil || stream?.isRefuted == true }

        /// Notes that text of an element is not read, where it is more than white space.
        private mutating func dropText(of element: Int32, _ text: some Sequence<UInt8>) {
            guard !tree[element].dropsText, text.contains(where: { !XMLTree.isSpace($0) }) else { return }
            tree[element].dropsText = true
            tree[element].isShort = true
        }

        /// Makes a child of each attribute that is not about the element's type.
        private mutating func readAttributes(
            _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int
        ) {
            guard let attributes, let element = open.last?.element else { return }
            for attribute in 0..<count {
                guard let name = attributes[5 * attribute], let start = attributes[5 * attribute + 3],
                    let end = attributes[5 * attribute + 4]
                else { continue }
                guard !Self.isAboutType(name, attributes[5 * attribute + 2], start, end) else { continue }
                let text = String(decoding: Self.bytes(name), as: UTF8.self)
                let from = Int32(tree.text.count)
                let value = String(decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self)
                // libxml2 leaves ampersands as references where no entities are replaced.
                tree.text += Array(value.replacing("&#38;", with: "&").utf8)
                append(
                    "@" + text.map { $0 == "-" ? "_" : String($0) }.joined(), start: from, end: Int32(tree.text.count))
            }
            tree[element].textStart = Int32(tree.text.count)
            tree[element].textEnd = tree[element].textStart
        }

        private mutating func append(_ name: String, start: Int32, end: Int32) {
            var child = XMLTree.Element(
                name: tree.index(ofName: Array(name.utf8)), kind: .untyped, textStart: start)
            child.textEnd = end
            child.isAttribute = true
            let place = Int32(tree.elements.count)
            tree.elements.append(child)
            let (parent, last, _) = open[open.count - 1]
            if notesLines { tree.lines.append(tree.lines[Int(parent)]) }
            if last >= 0 { tree[last].nextSibling = place } else { tree[parent].firstChild = place }
            open[open.count - 1].lastChild = place
        }

        private mutating func characters(_ bytes: UnsafeBufferPointer<xmlChar>) {
            guard !hasStopped, let last = open.last else { return }
            guard !last.hasElements else { return dropText(of: last.element, bytes) }
            tree.text.append(contentsOf: bytes)
        }

        private mutating func documentType() {
            stop(
                .forbiddenConstruct,
                "has a document type declaration, which is refused; if it is a web page, the URL or the sign-in is wrong"
            )
        }

        private mutating func name(at address: UnsafePointer<xmlChar>) -> (index: Int32, isListItem: Bool) {
            if let known = nameOfAddress[address] { return known }
            let bytes = Self.bytes(address)
            let isListItem = bytes.elementsEqual("list-item".utf8)
            let dashed = bytes.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }
            let name = (tree.index(ofName: dashed), isListItem)
            nameOfAddress[address] = name
            countNames()
            return name
        }

        private mutating func stop(_ code: ExtractionError.Code, _ reason: String) {
            guard failure == nil else { return }
            failure = Self.error(code, reason, at: parser)
            xmlStopParser(parser)
        }

        private static func error(
            _ code: ExtractionError.Code, _ reason: String, at parser: xmlParserCtxtPtr
        ) -> ExtractionError {
            let place = "line \(xmlSAX2GetLineNumber(parser)), column \(xmlSAX2GetColumnNumber(parser))"
            return ExtractionError(code: code, message: "\(place): the XML \(reason)")
        }

        /// libxml2's own message may quote the body, so the words are chosen here.
        private static func error(of parser: xmlParserCtxtPtr) -> ExtractionError {
            guard let found = xmlCtxtGetLastError(parser) else {
                return ExtractionError(code: .malformed, message: "the body is not XML")
            }
            let place = "line \(found.pointee.line), column \(found.pointee.int2)"
            let code = xmlParserErrors(UInt32(bitPattern: found.pointee.code))
            if code == XML_ERR_UNDECLARED_ENTITY || code == XML_WAR_UNDECLARED_ENTITY {
                return ExtractionError(
                    code: .forbiddenConstruct,
                    message: "\(place): the XML uses an entity; only &amp; &lt; &gt; &quot; &apos; and numbers are read"
                )
            }
            let reason =
                switch code {
                case XML_ERR_DOCUMENT_EMPTY: "the body is not XML: it does not begin with an element"
                case XML_ERR_TAG_NAME_MISMATCH: "the XML closes another element than the one that is open"
                case XML_ERR_TAG_NOT_FINISHED: "the XML ends inside an element; it was cut short"
                case XML_ERR_DOCUMENT_END: "the XML ends too early, or goes on after its root element"
                case XML_ERR_INVALID_ENCODING, XML_ERR_INVALID_CHAR: "the XML has bytes that are no characters"
                default: "the XML is not well-formed (libxml2 error \(found.pointee.code))"
                }
            return ExtractionError(code: .malformed, message: "\(place): \(reason)")
        }
    }

    /// What is left of a document, and the parser that reads it.
    private struct XMLSource {
        var unread: Slice<UnsafeRawBufferPointer>
        var parser: xmlParserCtxtPtr?
        private(set) var isCut = false

        /// The parser's lists grow to twice what they hold at most. An attribute takes five places, a name space two.
        mutating func cutBeforeTooManyAttributes() {
            guard let parser else { return }
            isCut =
                isCut || Int(parser.pointee.maxatts) > 2 * 5 * XMLReader.mostAttributes + 100
                || Int(parser.pointee.nsMax) > 2 * 2 * XMLReader.mostAttributes + 100
        }
    }
#endif
