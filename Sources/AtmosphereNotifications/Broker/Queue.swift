/// First in, first out: taking the first costs the same however many there are.
struct Queue<Element> {
    /// Those before `head` are taken, and nil.
    private var elements: [Element?] = []
    private var head = 0

    var count: Int { elements.count - head }
    var isEmpty: Bool { head == elements.count }
    var first: Element? { isEmpty ? nil : elements[head] }
    var last: Element? { isEmpty ? nil : elements[elements.count - 1] }

    /// From 0, the first, to ``count``.
    subscript(index: Int) -> Element { elements[head + index]! }

    mutating func append(_ element: Element) { elements.append(element) }

    @discardableResult
    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[head].take()
        head += 1
        // Moves the rest down now and then.
        if head >= 16, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}

extension Queue: Sendable where Element: Sendable {}
