#if Curl
    import AtmosphereExchange
    import CLibcurl

    /// Drives one multi handle. Lives on the loop's thread and nowhere else.
    final class CurlEngine {
        /// A reader is woken for this much even when more is about to come.
        private static let wakeThreshold = 256 << 10
        /// How long a pause between bytes is before readers are woken for what is here, in milliseconds.
        private static let grace: Int32 = 1
        /// Turns in a row in which readers are left asleep because bytes keep coming.
        private static let patience = 16
        private static let idleHandles = 32

        private let multi: UnsafeMutableRawPointer
        private let options: CurlTransport.Options
        private let connectTimeout: Duration
        private var transfers: [ObjectIdentifier: Transfer] = [:]
        /// Handles to use again; making one costs more than a request.
        private var idle: [UnsafeMutableRawPointer] = []
        /// Transfers whose readers have not been told of what has arrived.
        private var unannounced: [Transfer] = []
        private var turnsWithoutAnnouncement = 0

        init(_ multi: UnsafeMutableRawPointer, options: CurlTransport.Options, connectTimeout: Duration) {
            self.multi = multi
            self.options = options
            self.connectTimeout = connectTimeout
            _ = atmosphere_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
            _ = atmosphere_multi_set_long(multi, CURLMOPT_MAXCONNECTS, options.idleConnections)
        }

        /// Does what there is to do, then sleeps until there is more.
        ///
        /// Waking a task costs as much as a small request: while bytes keep coming without a pause, the reader sleeps, and
        /// a body of a few hundred kilobytes is handed over at once, together with its head.
        func turn(_ commands: [CurlLoop.Command]) {
            for command in commands { perform(command) }
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            collectFinished()
            announce { $0.exchange.bufferedBytes >= Self.wakeThreshold }

            var ready: Int32 = 0
            curl_multi_poll(multi, nil, 0, unannounced.isEmpty ? 60_000 : Self.grace, &ready)
            guard !unannounced.isEmpty else { return }
            turnsWithoutAnnouncement += 1
            if ready == 0 || turnsWithoutAnnouncement >= Self.patience { announce { _ in true } }
        }

        /// Ends what is under way and gives everything back.
        func close() {
            for transfer in transfers.values {
                let error = TransportError(
                    code: .offline, message: "\(transfer.exchange.request.display): the transport was closed",
                    mayHaveArrived: transfer.hasBegun)
                end(transfer, .failure(error))
            }
            for easy in idle { curl_easy_cleanup(easy) }
            idle = []
        }

        // MARK: Commands

        private func perform(_ command: CurlLoop.Command) {
            switch command {
            case .start(let exchange):
                start(exchange)
            case .cancel(let exchange):
                if let transfer = transfers[ObjectIdentifier(exchange)] {
                    end(transfer, .failure(CancellationError()))
                }
            case .resumeReceiving(let exchange):
                resume(exchange) { $0.resumeReceiving() }
            case .resumeSending(let exchange):
                resume(exchange) { $0.resumeSending() }
            }
        }

        private func resume(_ exchange: Exchange, _ resume: (Transfer) -> Void) {
            guard let transfer = transfers[ObjectIdentifier(exchange)] else { return }
            resume(transfer)
            if let failure = transfer.failure { end(transfer, .failure(failure)) }
        }

        private func start(_ exchange: Exchange) {
            // Cancelled before it began.
            guard !exchange.hasEnded else { return }
            guard let easy = idle.popLast() ?? curl_easy_init() else {
                exchange.finish(.failure(CurlFailure.outOfMemory(exchange.request)), isDiscarding: true)
                return
            }
            let transfer = Transfer(easy, exchange, bufferLimit: options.bufferedBytes)
            let setup = transfer.configure(options, connectTimeout: connectTimeout)
            let added = setup == CURLE_OK ? curl_multi_add_handle(multi, easy) : CURLM_OK
            guard setup == CURLE_OK, added == CURLM_OK else {
                let code = setup == CURLE_OK ? CURLE_FAILED_INIT : setup
                exchange.finish(.failure(transfer.error(for: code)), isDiscarding: true)
                curl_easy_cleanup(easy)
                return
            }
            transfers[ObjectIdentifier(exchange)] = transfer
            transfer.onNews = { [unowned self] in unannounced.append($0) }
        }

        // MARK: Results

        private func collectFinished() {
            var left: Int32 = 0
            while let message = curl_multi_info_read(multi, &left) {
                guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
                let code = message.pointee.data.result
                guard let transfer = Transfer.of(easy) else { continue }
                let error = transfer.failure ?? (code == CURLE_OK ? transfer.missingPart() : transfer.error(for: code))
                end(transfer, error.map { .failure($0) } ?? .success(()))
            }
        }

        /// What has arrived can still be read, unless the end says that it is not wanted.
        private func end(_ transfer: Transfer, _ result: Result<Void, any Error>) {
            var isDiscarding = false
            if case .failure(let error) = result {
                isDiscarding =
                    error is CancellationError || [.bodyTooLarge, .offline].contains((error as? TransportError)?.code)
            }
            transfers[ObjectIdentifier(transfer.exchange)] = nil
            unannounced.removeAll { $0 === transfer }
            curl_multi_remove_handle(multi, transfer.easy)
            if idle.count < Self.idleHandles {
                curl_easy_reset(transfer.easy)
                idle.append(transfer.easy)
            } else {
                curl_easy_cleanup(transfer.easy)
            }
            transfer.exchange.finish(result, isDiscarding: isDiscarding)
        }

        /// Wakes the readers of the transfers that fit, and stops receiving for those that lag behind.
        private func announce(where isDue: (Transfer) -> Bool) {
            guard !unannounced.isEmpty else { return }
            let candidates = unannounced
            unannounced.removeAll(keepingCapacity: true)
            for transfer in candidates {
                if isDue(transfer) {
                    transfer.announce()
                } else {
                    unannounced.append(transfer)
                }
            }
            if unannounced.isEmpty { turnsWithoutAnnouncement = 0 }
        }
    }
#endif
