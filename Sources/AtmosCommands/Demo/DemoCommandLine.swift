#if Demo && !Command
    internal import Atmosphere
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    /// The command of a build that has the demo alone.
    public enum AtmosCommandLine {
        /// Runs `demo`, and knows nothing else.
        ///
        /// - Returns: the exit status, as that of the whole command.
        public static func run(_ arguments: [String]) async -> Int32 {
            await Interruption().run { await perform(arguments) }
        }

        private static func perform(_ arguments: [String]) async -> Int32 {
            let output = Output(
                json: false, quiet: false, verbose: false, environment: ProcessInfo.processInfo.environment)
            do {
                guard arguments == ["demo"] else {
                    throw CommandFailure.usage("this build has the demo alone: atmos demo; make install builds all")
                }
                try await Demo().run(output)
                return ExitStatus.done
            } catch {
                let failure = CommandFailure(error)
                if !Task.isCancelled, !failure.messages.isEmpty { output.failure(failure) }
                return failure.status
            }
        }
    }
#endif
