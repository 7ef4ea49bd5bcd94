#if Command
    internal import Atmosphere
    internal import AtmosphereReports
    internal import Foundation

    /// What `login`, `logout` and `whoami` share: the authenticator without the store.
    struct SignIn {
        let routeFile: RouteFile
        let authenticator: any SignInAuthenticator

        /// - Throws: ``CommandFailure`` where there is nothing to sign in to.
        init(_ routeFile: RouteFile) throws {
            self.routeFile = routeFile
            guard let authenticator = try Self.authenticator(for: routeFile) as? any SignInAuthenticator else {
                let names = routeFile.secretNames.map(\.description)
                throw CommandFailure.usage(
                    names.isEmpty
                        ? "\(routeFile.source) has no auth to sign in with; add auth.oauth2 or auth.session, or write "
                            + "ask in the place of a secret"
                        : "\(routeFile.source) signs with \(names.joined(separator: " and ")): what you set, and no "
                            + "signing in gets it; atmos check says whether they are accepted, and ask in their place "
                            + "lets atmos login ask for them")
            }
            self.authenticator = authenticator
        }

        static func authenticator(for routeFile: RouteFile) throws -> (any Authenticator)? {
            let adapters = [Adapter].linked
            return try adapters.authenticator(
                for: routeFile,
                secrets: SecretSource(for: routeFile, environment: ProcessInfo.processInfo.environment),
                transport: adapters.transport(for: routeFile.transport))
        }

        /// Opens a page with what `BROWSER` names, or with the desktop's own program where somebody sits at a terminal.
        ///
        /// - Returns: whether a program was started.
        static func openBrowser(_ url: String, isTerminal: Bool) -> Bool {
            let environment = ProcessInfo.processInfo.environment
            let command: [String]
            if let browser = environment["BROWSER"], !browser.isEmpty {
                command = [browser]
            } else if !isTerminal {
                return false
            } else {
                #if canImport(Darwin)
                    command = ["open"]
                #else
                    guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return false }
                    command = ["xdg-open"]
                #endif
            }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = command + [url]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            return (try? process.run()) != nil
        }
    }

    extension SignInState {
        /// Lines for a person.
        var lines: [String] {
            var lines: [String] = []
            if let expires {
                lines.append("token until \(expires.rfc3339)\(canRenew ? ", renewed without you" : "")")
            } else if isSignedIn, canRenew {
                lines.append("the token is renewed without you")
            }
            if let scope { lines.append("scope \(scope)") }
            if let verifiedBy { lines.append("verified by \(verifiedBy)") }
            return lines
        }
    }
#endif
