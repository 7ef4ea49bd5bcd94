#if Notifications
    import NIOCore
    import NIOPosix
    package import NIOSSL

    /// Why Redis did not do what it was asked for.
    package struct RedisFailure: Error, Sendable, CustomStringConvertible {
        /// Holds no password and nothing of what was sent.
        package let description: String
        /// Whether Redis has answered, and nothing was done.
        package let isRefusal: Bool
        /// Whether this Redis would refuse everything that is written, so that another one has to be asked for: its name
        /// may lead to its successor.
        package let isOfServer: Bool

        package init(_ description: String, isRefusal: Bool = false, isOfServer: Bool = false) {
            self.description = description
            self.isRefusal = isRefusal
            self.isOfServer = isOfServer
        }
    }

    /// One connection to Redis: commands are pipelined, and answered in their order.
    package final class RedisConnection: Sendable {
        private let channel: any Channel
        private let handler: NIOLoopBound<RedisHandler>

        private init(_ channel: any Channel, _ handler: NIOLoopBound<RedisHandler>) {
            self.channel = channel
            self.handler = handler
        }

        /// Connects, signs in and chooses the database.
        ///
        /// - Parameter received: gets everything that arrives once ``listen(_:)`` was called; on the event loop.
        /// - Throws: ``RedisFailure``.
        package static func connect(
            to address: RedisAddress, tls: NIOSSLContext?, timeout: Duration = .seconds(5),
            received: @escaping @Sendable (RESPValue) -> Void = { _ in }
        ) async throws(RedisFailure) -> RedisConnection {
            let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(.nanoseconds(timeout.nanoseconds))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelOption(.socketOption(.so_keepalive), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if let tls {
                            // An address has no name to ask for; the certificate must then name the address.
                            let name =
                                (try? SocketAddress(ipAddress: address.host, port: 0)) == nil ? address.host : nil
                            try channel.pipeline.syncOperations.addHandler(
                                NIOSSLClientHandler(context: tls, serverHostname: name))
                        }
                        try channel.pipeline.syncOperations.addHandler(RedisHandler(received))
                    }
                }
            let connection: RedisConnection
            do {
                let channel = try await bootstrap.connect(host: address.host, port: address.port).get()
                let handler = try await channel.eventLoop.submit {
                    NIOLoopBound(
                        try channel.pipeline.syncOperations.handler(type: RedisHandler.self),
                        eventLoop: channel.eventLoop)
                }.get()
                connection = RedisConnection(channel, handler)
            } catch {
                throw RedisFailure("\(address): no connection (\(error))")
            }
            do {
                try await connection.signIn(address, timeout)
            } catch {
                connection.close()
                throw error
            }
            return connection
        }

        private func signIn(_ address: RedisAddress, _ timeout: Duration) async throws(RedisFailure) {
            if let password = address.password {
                let words = ["AUTH"] + (address.user.map { [$0] } ?? []) + [password]
                _ = try await send(words, timeout: timeout)
            }
            if address.database != 0 { _ = try await send(["SELECT", String(address.database)], timeout: timeout) }
            _ = try await send(["PING"], timeout: timeout)
        }

        package func send(_ words: [String], timeout: Duration = .seconds(5)) async throws(RedisFailure) -> RESPValue {
            try await send(words.map { Array($0.utf8) }, timeout: timeout)
        }

        /// Sends a command and waits for its answer. A connection that does not answer in time is closed: what comes
        /// later could not be told from the next answer.
        ///
        /// - Throws: ``RedisFailure``; after it the command may or may not have been carried out.
        package func send(_ words: [[UInt8]], timeout: Duration = .seconds(5)) async throws(RedisFailure) -> RESPValue {
            let bytes = RESPValue.command(words)
            let promise = channel.eventLoop.makePromise(of: RESPValue.self)
            let handler = handler
            let channel = channel
            channel.eventLoop.execute {
                handler.value.expect(promise)
                channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
                let timer = channel.eventLoop.scheduleTask(in: .nanoseconds(timeout.nanoseconds)) {
                    handler.value.fail(RedisFailure("Redis did not answer in \(timeout)"))
                }
                promise.futureResult.whenComplete { _ in timer.cancel() }
            }
            let answer: RESPValue
            do { answer = try await promise.futureResult.get() } catch let failure as RedisFailure {
                throw failure
            } catch { throw RedisFailure("\(error)") }
            if case .error(let message) = answer {
                throw RedisFailure(
                    "Redis refuses \(Self.name(words)): \(Self.told(message, of: words))", isRefusal: true,
                    isOfServer: Self.isOfServer(message))
            }
            return answer
        }

        /// What may be shown of an error: Redis quotes what it was sent, which may be a password. Of `AUTH` only the
        /// error's code word is left (`WRONGPASS`), of others what stands before the first quotation.
        package static func told(_ message: String, of words: [[UInt8]] = []) -> String {
            let code = message.prefix { $0.isASCII && $0.isUppercase }.prefix(32)
            if name(words) == "AUTH" { return String(code.isEmpty ? "ERR" : code) }
            return String(message.prefix { !"'`\"".contains($0) && !$0.isNewline }.prefix(200))
        }

        /// A replica, one that reads its file, one that has lost its master or its replicas, and one that cannot write
        /// its file. Of what a script calls, Redis 7 says the word first, and older ones somewhere behind a dash.
        package static func isOfServer(_ message: String) -> Bool {
            ["READONLY", "LOADING", "MASTERDOWN", "NOREPLICAS", "MISCONF"].contains {
                message.hasPrefix("\($0) ") || message.contains(" -\($0) ")
            }
        }

        private static func name(_ words: [[UInt8]]) -> String {
            words.first.map { String(decoding: $0.prefix(20), as: UTF8.self) } ?? ""
        }

        /// Sends commands whose answers, and everything after them, go to `received`: subscriptions.
        package func listen(_ commands: [[String]]) {
            let bytes = commands.flatMap { RESPValue.command($0.map { Array($0.utf8) }) }
            let handler = handler
            let channel = channel
            channel.eventLoop.execute {
                handler.value.isListening = true
                channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
            }
        }

        package func close() { channel.close(promise: nil) }

        /// Returns when the connection has ended, and ends it when the task is cancelled.
        package func untilClosed() async {
            await withTaskCancellationHandler {
                try? await channel.closeFuture.get()
            } onCancel: {
                channel.close(promise: nil)
            }
        }
    }

    /// Matches answers with commands; on the channel's event loop.
    private final class RedisHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let received: @Sendable (RESPValue) -> Void
        private var decoder = RESPDecoder()
        private var waiting = CircularBuffer<EventLoopPromise<RESPValue>>()
        private var context: ChannelHandlerContext?
        private var failure: RedisFailure?
        var isListening = false

        init(_ received: @escaping @Sendable (RESPValue) -> Void) { self.received = received }

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }
        func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

        func expect(_ promise: EventLoopPromise<RESPValue>) {
            if let failure { return promise.fail(failure) }
            waiting.append(promise)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard failure == nil else { return }
            decoder.append(unwrapInboundIn(data).readableBytesView)
            do {
                while let value = try decoder.next() {
                    if let promise = waiting.popFirst() {
                        promise.succeed(value)
                    } else if isListening {
                        received(value)
                    } else {
                        fail(RedisFailure("Redis answered what was not asked"))
                    }
                }
            } catch { fail(RedisFailure("Redis sent \(error)")) }
        }

        func fail(_ reason: RedisFailure) {
            guard failure == nil else { return }
            failure = reason
            while let promise = waiting.popFirst() { promise.fail(reason) }
            context?.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            fail(RedisFailure("Redis closed the connection"))
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            fail(RedisFailure("the connection to Redis failed (\(error))"))
        }
    }
#endif
