/// A value that many hold and nobody changes; where it is kept it takes one word.
package struct Shared<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private let box: Box

    package var value: Value { box.value }

    package init(_ value: Value) { box = Box(value) }
}
