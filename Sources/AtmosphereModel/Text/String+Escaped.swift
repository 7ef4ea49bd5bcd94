extension String {
    /// Without characters that nobody sees, or that move the others: `\u{1B}` in their place.
    package var escaped: String {
        guard unicodeScalars.contains(where: UnseenText.hasUnseenCategory) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if UnseenText.hasUnseenCategory(scalar) {
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// For messages: in quotation marks, on one line, without control characters, and not endless.
    package var quoted: String {
        var text = ""
        for scalar in unicodeScalars.prefix(60) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return "“\(text)\(unicodeScalars.count > 60 ? "…" : "")”"
    }
}
