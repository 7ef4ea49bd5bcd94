#if Notifications
    import AtmosphereExchange

    /// An error of the publishers' API, as RFC 9457 writes it.
    package struct Problem: Error, Sendable {
        package var status: Int
        package var detail: String
        package var headers: [(String, String)] = []

        package init(_ status: Int, _ detail: String) {
            self.status = status
            self.detail = detail
        }

        private static let titles = [
            400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
            408: "Request Timeout",
            413: "Content Too Large", 415: "Unsupported Media Type", 421: "Misdirected Request",
            422: "Unprocessable Content",
            426: "Upgrade Required", 503: "Service Unavailable"
        ]

        package var answer: HTTPAnswer {
            let body: Value = [
                "type": "about:blank", "title": .string(Self.titles[status] ?? "Error"),
                "status": .number(JSONNumber(status)), "detail": .string(detail)
            ]
            var answer = HTTPAnswer(status: status, contentType: "application/problem+json", body: body.json())
            answer.headers = headers
            return answer
        }
    }
#endif
