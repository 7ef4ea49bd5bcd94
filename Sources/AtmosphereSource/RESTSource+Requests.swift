public import Atmosphere

extension RESTSource {
    /// A request that has arrived.
    public struct RequestInfo: Sendable, Hashable {
        /// In capitals, as it was sent.
        public var method: String
        /// Percent-encoded, without the query.
        public var path: String
        /// Decoded, in the order of the URL.
        public var query: [NamedText]
        /// As they were sent, in their order.
        public var headers: HeaderFields
        /// All of it, decoded from chunks.
        public var body: [UInt8]

        init(_ request: SourceRequest) {
            method = request.method
            path = request.path
            query = request.query
            headers = request.headers
            body = request.body
        }
    }

    /// A request and what became of it.
    public struct LogEntry: Sendable, Hashable {
        /// What was asked.
        public var request: RequestInfo
        /// The status that processing gave; nil where the hook kept the request from being processed.
        public var processed: Int?
        /// The status that was sent; nil where the connection was closed instead.
        public var status: Int?
        /// What the plan of faults did to it.
        public var fault: Fault?

        /// The request's.
        public var method: String { request.method }
        /// The request's, without its query.
        public var path: String { request.path }
        /// The request's.
        public var body: [UInt8] { request.body }

        init(_ request: RequestInfo, processed: Int?, _ status: Int?, _ fault: Fault? = nil) {
            self.request = request
            self.processed = processed
            self.status = status
            self.fault = fault
        }
    }

    /// What happens to a request instead of the usual.
    public struct Intercept: Sendable {
        enum Kind: Sendable {
            case answer(Int, HeaderFields, [UInt8])
            case refusal(Int, String, reason: String?, HeaderFields)
            case close
            case fault(Fault)
        }

        let kind: Kind
        let processes: Bool

        /// What a plan of faults does.
        public static func fault(_ fault: Fault) -> Intercept {
            Intercept(kind: .fault(fault), processes: fault.processes)
        }
        /// Answers without processing.
        public static func answer(_ status: Int, headers: HeaderFields = [:], body: [UInt8] = []) -> Intercept {
            Intercept(kind: .answer(status, headers, body), processes: false)
        }
        /// Answers without processing, in the shape that the API's errors have.
        ///
        /// - Parameter reason: the API's own word for it, where its errors have one.
        public static func refuse(
            _ status: Int, _ message: String, reason: String? = nil, headers: HeaderFields = [:]
        ) -> Intercept {
            Intercept(kind: .refusal(status, message, reason: reason, headers), processes: false)
        }
        /// Closes the connection; the request has no effect.
        public static let close = Intercept(kind: .close, processes: false)
        /// Processes the request and closes the connection instead of answering: the lost answer.
        public static let processThenClose = Intercept(kind: .close, processes: true)
        /// Processes the request and answers something else, as a proxy that gave up would.
        public static func processThenAnswer(
            _ status: Int, headers: HeaderFields = [:], body: [UInt8] = []
        ) -> Intercept {
            Intercept(kind: .answer(status, headers, body), processes: true)
        }
    }
}
