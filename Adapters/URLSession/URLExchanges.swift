internal import AtmosphereExchange
internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A session with the exchanges that run in it.
final class URLExchanges: Sendable {
    private let session: URLSession
    private let delegate = Delegate()

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = 32
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    /// Lets what runs go on; the session and its connections end after it.
    func end() { session.finishTasksAndInvalidate() }

    func start(_ exchange: URLExchange, _ upload: Upload) {
        var request = URLRequest(url: exchange.url.url, cachePolicy: .reloadIgnoringLocalCacheData)
        request.httpMethod = exchange.request.method
        request.httpShouldHandleCookies = false
        // The exchange has a clock of its own; this one counts only while nothing moves.
        request.timeoutInterval = max(1, exchange.secondsLeft + 1)
        request.setValue("Atmosphere/0.1", forHTTPHeaderField: "User-Agent")
        var names: Set<String> = []
        for field in exchange.request.headers.fields {
            if names.insert(field.name.lowercased()).inserted {
                request.setValue(field.value, forHTTPHeaderField: field.name)
            } else {
                request.addValue(field.value, forHTTPHeaderField: field.name)
            }
        }
        let task: URLSessionTask
        if let file = upload.file {
            task = session.uploadTask(with: request, fromFile: file)
        } else {
            request.httpBody = upload.bytes
            task = session.dataTask(with: request)
        }
        exchange.begin(task, keeping: upload)
        delegate.add(exchange, for: task)
        task.resume()
    }
}

/// Gives what the session says to the exchange that it is about.
private final class Delegate: NSObject, URLSessionDataDelegate, Sendable {
    private let exchanges = Mutex<[Int: URLExchange]>([:])

    func add(_ exchange: URLExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    private func exchange(of task: URLSessionTask) -> URLExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The answer cancels the task where nobody reads on, and Foundation on Linux must not wait for this then.
        completionHandler(nil)
        exchange(of: task)?.arrived(response)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // Only the route file says who we are; an answer of 401 is an answer.
        #if canImport(Darwin)
            let isTrust = challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
            completionHandler(isTrust ? .performDefaultHandling : .rejectProtectionSpace, nil)
        #else
            completionHandler(.rejectProtectionSpace, nil)
        #endif
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(of: dataTask)?.arrived(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.received([UInt8](data))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        // Some answers are told of here only.
        if error == nil, let response = task.response { exchange?.arrived(response) }
        exchange?.completed(error)
    }
}
