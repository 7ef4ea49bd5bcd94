extension String {
    /// Without characters that nobody sees, or that move the others: `\u{1B}` in their place.
    package var escaped: String {
        guard unicodeScalars.contains(where: \.isUnseen) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.isUnseen {
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// By its category; ``UnseenText`` has its own list.
    var isUnseen: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
