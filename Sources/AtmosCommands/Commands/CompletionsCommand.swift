#if Command
    internal import ArgumentParser
    internal import Atmosphere

    struct CompletionsCommand: AtmosCommand {
        enum Shell: String, ExpressibleByArgument, CaseIterable {
            case bash, zsh, fish

            var completionShell: CompletionShell {
                switch self {
                case .bash: .bash
                case .zsh: .zsh
                case .fish: .fish
                }
            }
        }

        static let configuration = CommandConfiguration(
            commandName: "completions",
            abstract: "Print the completion script for a shell.",
            discussion: """
                Commands, options, files, and the entities of the route file in this folder are completed. Install it \
                where the shell looks for such scripts (for zsh, fpath+=~/.zfunc stands before compinit in ~/.zshrc), and \
                open a new shell.

                EXAMPLE
                  atmos completions bash > ~/.local/share/bash-completion/completions/atmos
                  atmos completions zsh > ~/.zfunc/_atmos
                  atmos completions fish > ~/.config/fish/completions/atmos.fish
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: "bash, zsh or fish.")
        var shell: Shell

        func run(_ output: Output) async throws {
            let script = Atmos.completionScript(for: shell.completionShell)
            try StandardStream.output.write(script.hasSuffix("\n") ? script : script + "\n")
        }
    }

    extension CompletionKind {
        /// The entities of the route file in the working directory.
        static let entities = CompletionKind.custom { _, _, _ in
            guard let path = GlobalOptions.usualPath,
                let file = try? RouteFile.load(path: path, adapters: .linked)
            else { return [] }
            return file.resources.map(\.name)
        }
    }
#endif
