#if Command || Demo
    internal import Atmosphere
    internal import AtmosphereReports
    internal import AtmosphereSource
    #if Command
        internal import ArgumentParser
        internal import AtmosphereGateway
    #endif

    /// How the command ends.
    enum ExitStatus {
        static let done: Int32 = 0
        static let failed: Int32 = 1
        /// The arguments or the route file are wrong.
        static let usage: Int32 = 2
        /// Conflicts, refused changes or unknown outcomes wait for a person.
        static let remaining: Int32 = 3
        /// The server cannot be reached, or does not accept the credentials.
        static let network: Int32 = 4
        /// By a signal, as shells count it: 128 and the signal's number.
        static let interrupted: Int32 = 128 + 2
        static let brokenPipe: Int32 = 128 + 13

        /// Of several, the one that counts: 2 before 4 before 1 before 3.
        static func first(_ statuses: [Int32]) -> Int32 {
            [usage, network, failed, remaining].first { statuses.contains($0) } ?? done
        }
    }

    /// Why a command ends with another status than 0, as standard error shows it.
    struct CommandFailure: Error {
        /// For programs; stable.
        var code: String
        /// One line each: the place, the reason, the remedy.
        var messages: [String]
        var status: Int32

        init(code: String, _ messages: [String], status: Int32) {
            self.code = code
            self.messages = messages
            self.status = status
        }

        /// The arguments cannot be used.
        static func usage(_ message: String) -> CommandFailure {
            CommandFailure(code: "usage", [message], status: ExitStatus.usage)
        }

        /// The answer was shown; only the exit status is left to be said.
        static func silent(_ status: Int32) -> CommandFailure { CommandFailure(code: "", [], status: status) }

        init(_ failure: ReportedFailure) {
            self.init(
                code: failure.code, [failure.message],
                status: failure.isNetwork ? ExitStatus.network : ExitStatus.failed)
        }

        init(_ error: any Error) {
            switch error {
            case let error as CommandFailure: self = error
            case let error as UsageError: self = .usage(error.description)
            #if Command
                case let error as ValidationError: self = .usage(error.message)
                case let error as GatewayError:
                    self.init(
                        code: error.code == .cannotBind ? error.code.description : "usage", [error.message],
                        status: error.code == .cannotBind ? ExitStatus.failed : ExitStatus.usage)
            #endif
            case let error as RouteFileError:
                self.init(code: "routeFile", error.problems.map(\.description), status: ExitStatus.usage)
            case let error as AdapterError:
                self.init(code: error.code.description, [error.message], status: ExitStatus.usage)
            case let error as SecretError:
                self.init(code: "signInNeeded", [error.message], status: ExitStatus.network)
            case let error as SyncError:
                // What the transport gave up for has a code of its own: a redirect, a replay without an answer.
                let transport = error.code == .unexpectedAnswer ? error.cause as? TransportError : nil
                self.init(
                    code: transport?.code.description ?? error.code.description, error.lines,
                    status: Self.status(of: error.code))
            case let error as TransportError:
                self.init(
                    code: error.code.description, [error.message],
                    status: error.isFinal ? ExitStatus.failed : ExitStatus.network)
            case let error as StoreError:
                self.init(code: error.code.description, [error.message], status: ExitStatus.failed)
            case let error as RESTSourceError:
                self.init(code: error.code.description, [error.message], status: ExitStatus.failed)
            case OutputError.closed: self = .silent(ExitStatus.brokenPipe)
            case OutputError.failed(let reason):
                self.init(code: "output", ["the output cannot be written: \(reason)"], status: ExitStatus.failed)
            default: self.init(code: "failed", ["\(error)"], status: ExitStatus.failed)
            }
        }

        private static func status(of code: SyncError.Code) -> Int32 {
            switch code {
            case .unknownName, .invalidPath: ExitStatus.usage
            case .unreachable, .signInNeeded: ExitStatus.network
            default: ExitStatus.failed
            }
        }
    }
#endif
