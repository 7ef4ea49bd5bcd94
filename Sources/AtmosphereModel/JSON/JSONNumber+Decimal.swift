extension JSONNumber {
    /// A number's exact value: ± 0.DIGITS × 10^exponent, with no zero at either end of the digits.
    ///
    /// Zero has no digits, no sign and exponent 0, so each value has one form.
    package struct Decimal {
        private(set) var isNegative = false
        /// ASCII digits.
        private(set) var digits: ArraySlice<UInt8> = []
        private(set) var exponent = Exponent(0)

        /// Reads a lexeme that fits the grammar.
        package init(_ lexeme: [UInt8]) {
            var rest = lexeme[...]
            let isNegative = rest.first == UInt8(ascii: "-")
            if isNegative { rest.removeFirst() }
            var written = rest[rest.endIndex...]
            if let mark = rest.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
                written = rest[(mark + 1)...]
                rest = rest[..<mark]
            }
            var scale = rest.count
            if let point = rest.firstIndex(of: UInt8(ascii: ".")) {
                scale = point - rest.startIndex
                rest.remove(at: point)
            }
            let zeros = rest.prefix { $0 == UInt8(ascii: "0") }.count
            rest = rest.dropFirst(zeros)
            while rest.last == UInt8(ascii: "0") { rest.removeLast() }
            guard !rest.isEmpty else { return }
            self.isNegative = isNegative
            digits = rest
            exponent = Exponent(written, plus: scale - zeros)
        }

        /// Negative, zero or positive as self is less, equal or greater.
        package func compare(_ other: Decimal) -> Int {
            if isNegative != other.isNegative { return isNegative ? -1 : 1 }
            if digits.isEmpty || other.digits.isEmpty {
                let size = digits.count - other.digits.count
                return isNegative ? -size : size
            }
            let size = compareMagnitude(other)
            return isNegative ? -size : size
        }

        private func compareMagnitude(_ other: Decimal) -> Int {
            let order = exponent.compare(other.exponent)
            if order != 0 { return order }
            if digits.lexicographicallyPrecedes(other.digits) { return -1 }
            return digits.elementsEqual(other.digits) ? 0 : 1
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(isNegative)
            hasher.combine(digits)
            hasher.combine(exponent)
        }

        /// The value as a whole number of 64 bits.
        package var int64: Int64? {
            guard !digits.isEmpty else { return 0 }
            // 19 digits hold every Int64.
            guard case .small(let places) = exponent, places >= digits.count, places <= 19 else { return nil }
            let text = (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
            return Int64(text + String(repeating: "0", count: places - digits.count))
        }
    }

    /// A whole number of any length; most fit in a word.
    enum Exponent: Hashable {
        case small(Int)
        /// From 10^18: ASCII digits without leading zeros.
        case large(isNegative: Bool, digits: [UInt8])

        init(_ value: Int) { self = .small(value) }

        /// The sum of an exponent as written and a number no larger than the text is long.
        init(_ written: ArraySlice<UInt8>, plus offset: Int) {
            var digits = written
            let isNegative = digits.first == UInt8(ascii: "-")
            if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
            digits = digits.drop { $0 == UInt8(ascii: "0") }
            if digits.count <= 17 {
                let size = Self.number(digits)
                self = .small((isNegative ? -size : size) + offset)
                return
            }
            // So large that the offset cannot change the sign. The same sum is `small` or `large` however it is written.
            let sum = Self.add(digits, isNegative ? -offset : offset)
            if sum.count <= 18 {
                let size = Self.number(sum[...])
                self = .small(isNegative ? -size : size)
            } else {
                self = .large(isNegative: isNegative, digits: sum)
            }
        }
        func compare(_ other: Exponent) -> Int {
            switch (self, other) {
            case (.small(let left), .small(let right)): left < right ? -1 : left == right ? 0 : 1
            case (.small, .large(let isNegative, _)): isNegative ? 1 : -1
            case (.large(let isNegative, _), .small): isNegative ? -1 : 1
            case (.large(let negative, let left), .large(let otherNegative, let right)):
                if negative != otherNegative { negative ? -1 : 1 } else { Self.order(left, right, flip: negative) }
            }
        }

        private static func order(_ left: [UInt8], _ right: [UInt8], flip: Bool) -> Int {
            let order: Int
            if left.count != right.count {
                order = left.count - right.count
            } else if left == right {
                order = 0
            } else {
                order = left.lexicographicallyPrecedes(right) ? -1 : 1
            }
            return flip ? -order : order
        }

        private static func number(_ digits: ArraySlice<UInt8>) -> Int {
            digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }

        /// Decimal digits plus a smaller number.
        private static func add(_ digits: ArraySlice<UInt8>, _ offset: Int) -> [UInt8] {
            var sum = Array(digits)
            var carry = offset
            var index = sum.count - 1
            while carry != 0, index >= 0 {
                let digit = Int(sum[index] - UInt8(ascii: "0")) + carry
                // Division that rounds down keeps each digit between 0 and 9 when the offset is negative.
                carry = digit >= 0 ? digit / 10 : -((9 - digit) / 10)
                sum[index] = UInt8(digit - carry * 10) + UInt8(ascii: "0")
                index -= 1
            }
            if carry > 0 { sum = Array(String(carry).utf8) + sum }
            return Array(sum.drop { $0 == UInt8(ascii: "0") })
        }
    }
}
