#if Command
    internal import Atmosphere
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #else
        internal import Darwin
    #endif

    /// What a person types, line by line, on standard input.
    struct TypedAnswers {
        /// The most that all answers may be together.
        private static let limit = 256 << 10

        /// What a terminal takes for no key (`_POSIX_VDISABLE`).
        #if canImport(Darwin)
            private static let noCharacter: UInt8 = 0xFF
        #else
            private static let noCharacter: UInt8 = 0
        #endif

        /// The keys that stop the process, or end it with a core: what is typed would stay hidden at the terminal behind it.
        private static let stoppingKeys: [Int32] = {
            #if canImport(Darwin)
                [VSUSP, VDSUSP, VQUIT]
            #else
                [VSUSP, VQUIT]
            #endif
        }()

        private let input = StandardStream.input
        /// Asks at the terminal, and shows no secret there.
        private let isAsked: Bool
        /// Read, and no answer yet: whoever pastes may paste several lines.
        private var rest: [UInt8] = []

        /// - Parameter asked: the questions are put at the terminal; otherwise each line is an answer.
        init(asked: Bool) { isAsked = asked }

        /// The answers by the names of the questions.
        ///
        /// - Throws: ``CommandFailure`` where the input ends before the last, or is not UTF-8; `CancellationError`; ``OutputError``.
        mutating func read(_ questions: [SignInQuestion]) throws -> [String: String] {
            var answers: [String: String] = [:]
            for question in questions {
                guard let answer = try answer(question) else {
                    let names = questions.map(\.name).joined(separator: ", ")
                    throw CommandFailure.usage(
                        "standard input ended before the \(question.name); write a line for each: \(names)")
                }
                answers[question.name] = answer
            }
            return answers
        }

        private mutating func answer(_ question: SignInQuestion) throws -> String? {
            guard isAsked else { return try line() }
            let prompt = "\(question.name): "
            guard question.isSecret else {
                try StandardStream.error.write(prompt)
                return try line()
            }
            var before = termios()
            var isHidden = tcgetattr(input.descriptor, &before) == 0
            var silent = before
            silent.c_lflag &= ~tcflag_t(ECHO)
            withUnsafeMutableBytes(of: &silent.c_cc) { characters in
                for key in Self.stoppingKeys { characters[Int(key)] = Self.noCharacter }
            }
            isHidden = isHidden && tcsetattr(input.descriptor, TCSANOW, &silent) == 0
            guard isHidden else {
                throw CommandFailure.usage("the terminal cannot hide what is typed; use atmos login --stdin")
            }
            defer {
                _ = tcsetattr(input.descriptor, TCSANOW, &before)
                // The line break was not shown either.
                try? StandardStream.error.write("\n")
            }
            try StandardStream.error.write(prompt)
            return try line()
        }

        /// - Returns: nil at the end of the input.
        private mutating func line() throws -> String? {
            while true {
                if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = rest[..<end]
                    rest.removeSubrange(...end)
                    return try Self.text(line)
                }
                // A signal cancels the task, and ends no read.
                try Task.checkCancellation()
                var waited = pollfd(fd: input.descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&waited, 1, 100) > 0 else { continue }
                guard let chunk = try input.readSome() else {
                    defer { rest = [] }
                    return try rest.isEmpty ? nil : Self.text(rest[...])
                }
                rest += chunk
                guard rest.count <= Self.limit else {
                    throw CommandFailure.usage("what was typed is longer than \(Self.limit >> 10) KiB")
                }
            }
        }

        /// Another secret than the one that was typed would be sent, and kept.
        private static func text(_ line: ArraySlice<UInt8>) throws -> String {
            let isCut = line.last == UInt8(ascii: "\r")
            guard let text = String(validating: isCut ? line.dropLast() : line, as: UTF8.self) else {
                throw CommandFailure.usage(
                    "what was typed is not UTF-8; set the terminal, or what writes to standard input, to UTF-8")
            }
            return text
        }
    }
#endif
