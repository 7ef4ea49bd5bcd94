#if SocketIO
    internal import NIOCore
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    /// Asks a proxy for a tunnel (RFC 9110 §9.3.6) and leaves the pipeline when it is there.
    final class Tunnel: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let request: String
        private let promise: EventLoopPromise<Void>
        private var answer: [UInt8] = []
        private var isDone = false

        init(_ request: String, _ promise: EventLoopPromise<Void>) {
            self.request = request
            self.promise = promise
        }

        /// - Parameter credentials: `user:password` for Basic authentication (RFC 7617).
        static func request(_ target: String, credentials: String?) -> String {
            var lines = ["CONNECT \(target) HTTP/1.1", "Host: \(target)"]
            if let credentials {
                lines.append("Proxy-Authorization: Basic \(Data(credentials.utf8).base64EncodedString())")
            }
            return lines.map { $0 + "\r\n" }.joined() + "\r\n"
        }

        func handlerAdded(context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request)), promise: nil)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = unwrapInboundIn(data)
            guard !isDone else { return context.fireChannelRead(data) }
            answer.append(contentsOf: buffer.readableBytesView)
            guard let end = Self.end(of: answer) else {
                if answer.count > 16_384 { fail(context, "the proxy's answer has no end") }
                return
            }
            let status = answer.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
            let words = status.split(separator: UInt8(ascii: " "))
            guard words.count >= 2, words[0].starts(with: Array("HTTP/1.".utf8)),
                let code = Int(String(decoding: words[1], as: UTF8.self)), (200..<300).contains(code)
            else {
                let code = words.count >= 2 ? Int(String(decoding: words[1], as: UTF8.self)) : nil
                return fail(context, "the proxy refuses the tunnel" + (code.map { " (\($0))" } ?? ""))
            }
            isDone = true
            // A server that speaks first has its bytes behind the proxy's answer.
            let rest = Array(answer[end...])
            promise.succeed()
            if !rest.isEmpty { context.fireChannelRead(NIOAny(ByteBuffer(bytes: rest))) }
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            promise.fail(LinkError("the proxy closed the connection"))
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(context, "no answer from the proxy") }

        private func fail(_ context: ChannelHandlerContext, _ reason: String) {
            promise.fail(LinkError(reason))
            context.close(promise: nil)
        }

        private static func end(of bytes: [UInt8]) -> Int? {
            let mark = Array("\r\n\r\n".utf8)
            guard bytes.count >= 4 else { return nil }
            for index in 0...(bytes.count - 4) where bytes[index..<(index + 4)].elementsEqual(mark) { return index + 4 }
            return nil
        }
    }
#endif
