#if Command
    internal import Atmosphere
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    extension RouteFile {
        /// Lets the file through that has no powers, that a person has allowed, or that `--trust` or `ATMOS_TRUST` names;
        /// asks at a terminal.
        ///
        /// - Parameter environment: the process's.
        /// - Throws: ``CommandFailure`` `notAllowed`.
        func checkAllowed(
            trusted: Bool, _ output: Output, environment: [String: String] = ProcessInfo.processInfo.environment
        ) throws {
            guard let digest = powersDigest, try !isAllowed(trusted: trusted, environment) else { return }
            let allowances = try Allowances(environment)
            let known = allowances.all().filter { $0.path.hasSameBytes(as: realPath) }
            let told = Set(known.flatMap(\.powers).map { ScalarText($0) })
            let lines = powers.map { power in
                "  \(power)" + (known.isEmpty || told.contains(ScalarText(power)) ? "" : "  (new)")
            }
            let what =
                known.isEmpty
                ? "\(source) is not allowed yet; it:" : "\(source) has changed since it was allowed; now it:"
            let remedy = "if you trust whoever wrote it: atmos allow \(source.shellWord), or --trust for this once"
            guard !output.isJSON, StandardStream.input.isTerminal, StandardStream.error.isTerminal else {
                let service = "for a service: ATMOS_TRUST=\(realPath.shellWord)"
                throw CommandFailure(
                    code: "notAllowed", [what] + lines + [remedy, service], status: ExitStatus.usage)
            }
            let question = [what] + lines + ["Whoever wrote it decides this. Allow it? [y/N] "]
            try StandardStream.error.write(question.map { TextWidth.oneLine($0) }.joined(separator: "\n"))
            let answer = readLine()?.lowercased().filter { !$0.isWhitespace } ?? ""
            guard ["y", "yes"].contains(answer) else {
                throw CommandFailure(
                    code: "notAllowed", ["\(source) was not allowed; nothing was done"], status: ExitStatus.usage)
            }
            try allowances.add(allowance(digest))
        }

        /// Whether the file may do what it does, as it and the programs that it names are now.
        ///
        /// - Throws: ``CommandFailure`` where `ATMOS_TRUST` or the allowances cannot be read.
        func isAllowed(
            trusted: Bool, _ environment: [String: String] = ProcessInfo.processInfo.environment
        ) throws -> Bool {
            guard let digest = powersDigest, !trusted else { return true }
            return try isTrusted(digest, environment) || Allowances(environment).contains(digest)
        }

        /// What is kept of the file once it is allowed.
        func allowance(_ digest: String) -> Allowances.Allowance {
            .init(path: realPath, digest: digest, powers: powers)
        }

        /// The path from the root, without symbolic links.
        var realPath: String { FilePlace.real(source) ?? source }

        /// Whether `ATMOS_TRUST` names the file: its path, a folder above it with a slash at the end, or the digest of its
        /// powers; several with colons between them.
        private func isTrusted(_ digest: String, _ environment: [String: String]) throws -> Bool {
            for entry in (environment["ATMOS_TRUST"] ?? "").split(separator: ":").map(String.init) {
                if entry == digest { return true }
                if entry.utf8.count == 64, entry.allSatisfy(\.isHexDigit) { continue }
                guard entry.beginsWithSlash, entry != "/" else {
                    // “.” or “1” would trust whatever folder one happens to be in.
                    throw CommandFailure.usage(
                        "ATMOS_TRUST: \(entry.quoted) is no path from the root; write that of the route file, of a folder "
                            + "with a slash at its end, or the digest that atmos explain --json shows")
                }
                guard let real = FilePlace.real(entry) else { continue }
                // By bytes: a sibling of the folder can have a name that is canonically equivalent.
                let isNamed =
                    entry.endsWithSlash
                    ? realPath.rest(after: real + "/") != nil : realPath.hasSameBytes(as: real)
                if isNamed { return true }
            }
            return false
        }
    }
#endif
