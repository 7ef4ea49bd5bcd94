#if Command
    internal import Atmosphere
    internal import AtmosphereCurl
    internal import AtmosphereNotifications
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    extension ServeCommand {
        private var secretSource: SecretSource {
            SecretSource(environment: ProcessInfo.processInfo.environment, file: secrets)
        }

        /// The value of `secret:NAME`.
        ///
        /// - Throws: ``CommandFailure`` for anything else, which is not shown; `SecretError`.
        private func secret(_ text: String, of option: String) throws -> Secret {
            guard let name = Self.secretName(text) else {
                throw CommandFailure.usage(
                    "\(option): write secret:NAME and set NAME in the environment; other processes can see arguments")
            }
            return try secretSource.secret(name)
        }

        private static func secretName(_ text: String) -> SecretName? {
            guard text.hasPrefix("secret:") else { return nil }
            return SecretName(String(text.dropFirst(7)))
        }

        var replayWindow: ReplayWindow {
            ReplayWindow(events: window, age: .seconds(windowTime), bytes: windowBytes)
        }

        // MARK: Redis

        func redisBroker(_ output: Output) throws -> RedisBroker? {
            guard let redis else { return nil }
            let isSecret = redis.hasPrefix("secret:")
            var address: RedisAddress
            do { address = try RedisAddress(isSecret ? secret(redis, of: "--redis").value : redis) } catch let error
                as RedisAddress.Failure
            {
                throw CommandFailure.usage("--redis: \(error)")
            }
            guard isSecret || address.password == nil else {
                throw CommandFailure.usage(
                    "--redis holds the password itself, which other processes can see: "
                        + "give it as --redis-password secret:NAME, or the whole URL as --redis secret:NAME")
            }
            if let redisPassword { address.password = try secret(redisPassword, of: "--redis-password").value }
            var options = RedisBroker.Options(address)
            options.authorities = redisCa
            options.prefix = redisPrefix
            options.window = replayWindow
            options.emitters = try emitters.map(emitter)
            let start = ContinuousClock.now
            do {
                return try RedisBroker(
                    options, clock: { start.duration(to: .now) },
                    newIdentifier: { String(UInt64.random(in: .min ... .max), radix: 36) },
                    log: { output.warning($0) })
            } catch { throw CommandFailure.usage("--redis-ca: the file cannot be used: \(error)") }
        }

        private func emitter(_ text: String) throws -> RedisEmitter {
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            switch (parts.first, parts.dropFirst().first) {
            case ("socket.io", let key?): return .socketIO(key: key)
            case ("socket.io", nil): return .socketIO()
            case ("python-socketio", let channel?): return .pythonSocketIO(channel: channel)
            case ("python-socketio", nil): return .pythonSocketIO()
            default: throw CommandFailure.usage("--emitters \(text): the kind is socket.io or python-socketio")
            }
        }

        // MARK: Clients

        func callbackAuthorizer(_ url: String, _ output: Output) throws -> CallbackAuthorizer {
            let isLocal = ["http://127.0.0.1", "http://localhost", "http://[::1]"].contains { local in
                url.hasPrefix(local) && [nil, ":", "/"].contains(url.dropFirst(local.count).first)
            }
            guard url.hasPrefix("https://") || isLocal else {
                throw CommandFailure.usage(
                    "--client-callback: https:// is needed, or http:// of this machine: clients' keys go there")
            }
            let authorization = try clientCallbackAuthorization.map {
                try secret($0, of: "--client-callback-authorization")
            }
            return CallbackAuthorizer(
                url: url, authorization: authorization, transport: try CurlTransport(), waitingPerAddress: newClients,
                log: { output.warning($0) })
        }

        /// - Parameter option: whose keys these are, as `KIND:FILE`.
        func tokenAuthorizer(
            _ texts: [String], of option: String, scope: String? = nil
        ) throws -> TokenAuthorizer {
            var keys: [TokenAuthorizer.Key] = []
            for text in texts {
                let parts = text.split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else { throw CommandFailure.usage("\(option) \(text): give it as KIND:FILE") }
                let content = try KeyFile.content(String(parts[1]))
                switch parts[0] {
                case "hs256":
                    keys.append(.hs256(secret: content.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""))
                case "es256": keys.append(.es256(pem: content))
                case "rs256": keys.append(.rs256(pem: content))
                default: throw CommandFailure.usage("\(option) \(text): the kind is hs256, es256 or rs256")
                }
            }
            do { return try TokenAuthorizer(keys, audience: audience, issuer: issuer, scope: scope) } catch {
                throw CommandFailure.usage("\(option): \(error)")
            }
        }

        // MARK: Webhooks

        func webhooks() throws -> [Webhook] {
            guard let webhook else { return [] }
            let webhooks = try Webhook.load(path: webhook, adapters: .linked) {
                try secretSource.secret(SecretName($0))
            }
            if let taken = webhooks.first(where: { $0.path.hasPrefix("/socket.io") }) {
                throw CommandFailure.usage("\(webhook): the path \(taken.path) is for Socket.IO; take another")
            }
            return webhooks
        }
    }
#endif
