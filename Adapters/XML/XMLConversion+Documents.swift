#if XML
    package import AtmosphereExchange

    extension XMLConversion {
        /// A page of a list, or one object.
        ///
        /// - Parameter streams: whether items are written while the document is read, where that can be; the result is the
        ///   same.
        /// - Throws: ``ExtractionError`` `malformed` with line and column, `forbiddenConstruct`, `tooLarge`.
        package static func json(
            from document: [UInt8], _ selectors: Selectors, streams: Bool = true
        ) throws -> [UInt8] {
            try read(document, selectors, streams: streams).out
        }

        /// The same, how many bytes stand in front of the items (0 where these were not written while the document was
        /// read), and how many elements were kept to the end.
        package static func page(
            from document: [UInt8], _ selectors: Selectors
        ) throws -> (json: [UInt8], itemsStart: Int, kept: Int) {
            let conversion = try read(document, selectors)
            return (conversion.out, conversion.written?.offset ?? 0, conversion.tree.elements.count)
        }

        /// In which line of the document stands what becomes the byte at an offset of the JSON; for messages, because it
        /// reads the document once more. nil where nothing stands there.
        ///
        /// - Parameters:
        ///   - selectors: as for ``json(from:_:streams:)``; nil for what is read without.
        ///   - itemsStart: what ``page(from:_:)`` said of the same.
        static func line(
            at offset: Int, of document: [UInt8], _ selectors: Selectors?, limits: JSONLimits, itemsStart: Int = 0
        ) -> Int? {
            var conversion: XMLConversion?
            if let selectors {
                conversion = try? read(document, selectors, seeking: (offset, itemsStart))
            } else if let tree = try? XMLReader.read(document, limits: limits, notesLines: true).tree {
                var whole = XMLConversion()
                whole.tree = tree
                whole.sought = (offset, nil, 0)
                whole.write(0)
                conversion = whole
            }
            return conversion?.sought?.line.map { Int($0) }
        }

        /// Any document, without knowledge of lists and types.
        ///
        /// - Throws: ``ExtractionError``, as for a page.
        package static func json(
            from document: [UInt8], limits: JSONLimits = .default, readsAttributes: Bool = false
        ) throws -> [UInt8] {
            var conversion = XMLConversion()
            conversion.tree = try XMLReader.read(document, limits: limits, readsAttributes: readsAttributes).tree
            conversion.finish()
            return conversion.out
        }

        /// Reads a page, or one object, and writes it.
        private static func read(
            _ document: [UInt8], _ selectors: Selectors, streams: Bool = true,
            seeking: (offset: Int, itemsStart: Int)? = nil
        ) throws -> XMLConversion {
            var assumptions = XMLItemStream.Assumptions()
            while true {
                var conversion = XMLConversion()
                conversion.prepare(selectors)
                conversion.sought = seeking.map { ($0.offset, nil, $0.itemsStart) }
                var (tree, stream) = try XMLReader.read(
                    document, limits: selectors.limits, readsAttributes: selectors.readsAttributes,
                    notesLines: seeking != nil, conversion.tree,
                    streams ? XMLItemStream(conversion, selectors, assumptions, room: document.count) : nil)
                if let stream, stream.isRefuted {
                    assumptions = stream.assumptions
                    continue
                }
                if let place = stream?.place {
                    conversion.written = (place, [], stream?.writer.sought?.line, nil)
                    // Moved, because a copy would be of the whole page.
                    swap(&conversion.written!.items, &stream!.writer.out)
                }
                swap(&conversion.tree, &tree)
                conversion.sought?.inFront = 0
                conversion.locate(selectors)
                conversion.finish()
                return conversion
            }
        }

        /// Writes the whole, with the items that are written already at their place.
        private mutating func finish() {
            out.reserveCapacity(tree.text.count * 2)
            write(0)
            guard let offset = written?.offset else { return }
            var all: [UInt8] = []
            swap(&all, &written!.items)
            all.insert(contentsOf: out[..<offset], at: 0)
            all.append(contentsOf: out[offset...])
            out = all
        }
    }
#endif
