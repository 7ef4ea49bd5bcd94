internal import Atmosphere

/// A problem for a person who has opened an address in a browser.
enum ProblemPage {
    /// Whether a browser shows the answer as a page: a program asks for no HTML.
    static func isWanted(by request: GatewayRequest) -> Bool {
        request.headers.values(of: "Accept").contains { $0.lowercased().contains("text/html") }
    }

    static func answer(_ problem: Problem) -> GatewayAnswer {
        let title = "\(problem.status.rawValue) \(problem.status.title)"
        let text = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <meta name="color-scheme" content="light dark">
            <title>\(title)</title>
            <h1>\(title)</h1>
            <p>\(escaped(problem.detail))</p>
            </html>

            """
        var answer = GatewayAnswer(problem.status, headers: problem.headers, body: .bytes(Array(text.utf8)))
        answer.headers["Content-Type"] = "text/html; charset=utf-8"
        answer.closes = problem.closes
        return answer
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&", "<", ">", "\"", "'": escaped += "&#\(scalar.value);"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
