#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    /// The manual page, in the macros of man(7): what `--help` says of every command, on one page.
    struct ManualPage {
        let text: String

        /// - Throws: `JSONError` where the argument parser describes the commands in another way than expected.
        init() throws {
            let described = try Value(json: Array(Atmos._dumpHelp().utf8))
            guard let root = described.members?["command"]?.members else {
                throw CommandFailure(code: "failed", ["the commands are not described"], status: ExitStatus.failed)
            }
            let commands = (root["subcommands"]?.array ?? []).compactMap(\.members)
                .filter { Atmos.commandNames.contains($0["commandName"]?.string ?? "") }
            var lines = [
                ".TH ATMOS 1 \"\" \"atmos \(BuildVersion.number)\" \"User Commands\"", ".SH NAME",
                "atmos \\- \(Self.escaped(Self.sentence(root)))", ".SH SYNOPSIS", ".B atmos", "COMMAND [OPTION]...",
                ".SH DESCRIPTION"
            ]
            lines += Self.discussion(root["discussion"]?.string ?? "", section: ".SH")
            lines += [".SH COMMANDS"]
            for command in commands { lines += Self.command(command) }
            lines += [".SH OPTIONS", "Options of every command."]
            lines += Self.arguments(commands.first ?? [:]) { $0 }
            lines += [
                ".SH ENVIRONMENT", ".TP", ".B NO_COLOR", "Any value but the empty one: no colour on a terminal.",
                ".TP", ".B ATMOS_TRUST",
                "Route files that need no allowance: paths from the root, with a slash at the end of a folder\u{2019}s, or digests, with colons between them.",
                ".TP", ".I NAME", "What a route file calls secret:NAME.", ".SH FILES", ".TP",
                ".I atmosphere.yaml", "The route file in the working directory, where --config names none.", ".TP",
                ".IR NAME .db, \" \" NAME .db.log", "The local copy, and the log of what was sent, merged or skipped.",
                ".TP", ".I ~/.config/atmos/allowed",
                "What was allowed by atmos allow; below $XDG_CONFIG_HOME where that is set."
            ]
            text = lines.joined(separator: "\n") + "\n"
        }

        private static let globalNames: Set<String> = ["config", "json", "quiet", "verbose", "trust", "version", "help"]

        private static func command(_ command: Value.Members) -> [String] {
            let name = command["commandName"]?.string ?? ""
            var lines = [".SS \"atmos \(escaped(name))\"", escaped(sentence(command)), ".PP"]
            lines += discussion(command["discussion"]?.string ?? "", section: ".PP")
            return lines + arguments(command) { !$0 }
        }

        /// The abstract, as a clause.
        private static func sentence(_ command: Value.Members) -> String { command["abstract"]?.string ?? "" }

        /// Paragraphs; headings in capitals, and indented lines as they are.
        private static func discussion(_ text: String, section: String) -> [String] {
            var lines: [String] = []
            var isExample = false
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                let isIndented = line.hasPrefix("  ")
                if isIndented != isExample {
                    lines += isIndented ? [".RS 4", ".nf"] : [".fi", ".RE"]
                    isExample = isIndented
                }
                if line.isEmpty {
                    lines.append(".PP")
                } else if !isIndented, line.allSatisfy({ $0.isUppercase || $0 == " " }) {
                    lines +=
                        section == ".SH"
                        ? [".SH \(line)"] : [".PP", "\(line.prefix(1))\(line.dropFirst().lowercased()):"]
                } else {
                    lines.append(escaped(isIndented ? String(line.dropFirst(2)) : String(line)))
                }
            }
            return lines + (isExample ? [".fi", ".RE"] : [])
        }

        /// - Parameter isWanted: told whether an argument is one of every command.
        private static func arguments(_ command: Value.Members, _ isWanted: (Bool) -> Bool) -> [String] {
            var lines: [String] = []
            for argument in (command["arguments"]?.array ?? []).compactMap(\.members) {
                let value = argument["valueName"]?.string ?? "value"
                let names = (argument["names"]?.array ?? []).compactMap(\.members)
                let long = argument["preferredName"]?.members?["name"]?.string ?? value
                // A command may have a --version VALUE of its own.
                let isOwn = long == "version" && argument["kind"]?.string == "option"
                let isGlobal = globalNames.contains(long) && !isOwn
                guard argument["shouldDisplay"] != .bool(false), isWanted(isGlobal) else { continue }
                var written = names.map { name in
                    (name["kind"]?.string == "long" ? "--" : "-") + (name["name"]?.string ?? "")
                }
                if argument["kind"]?.string == "positional" { written = ["<\(value)>"] }
                if argument["kind"]?.string == "option" { written = written.map { "\($0) <\(value)>" } }
                let help = [argument["abstract"]?.string, argument["discussion"]?.string].compactMap { $0 }
                    .filter { !$0.isEmpty }.joined(separator: " ")
                lines += [".TP", ".B \(escaped(written.joined(separator: ", ")))", escaped(help)]
            }
            return lines
        }

        /// A line that starts like a request, backslashes and hyphens are what man(7) would take for something else.
        private static func escaped(_ text: String) -> String {
            var escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
            if escaped.hasPrefix(".") || escaped.hasPrefix("'") { escaped = "\\&" + escaped }
            return escaped
        }
    }
#endif
