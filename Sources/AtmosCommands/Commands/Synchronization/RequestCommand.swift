#if Command
    internal import ArgumentParser
    internal import Atmosphere

    struct RequestCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "request",
            abstract: "Send any request, or call an action that the route file declares.",
            discussion: """
                METHOD PATH, with the method in capitals, sends a request to a path under the base and stores nothing. \
                ACTION ENTITY/ID FIELD=VALUE… calls the action, and merges the object that comes back. ACTION ENTITY \
                FIELD=VALUE… calls one that is for no single object; the fields that show its parents say where.

                EXAMPLE
                  atmos request GET 'tasks/?page_size=1'
                  atmos request move tasks/42 previous=41
                  atmos request clear tasks list_id=7
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: "A method in capitals, or an action.")
        var verb: String

        @Argument(help: "A path under the base, ENTITY/ID, or ENTITY.")
        var target: String

        @Argument(
            help: ArgumentHelp("Arguments of an action: FIELD=VALUE, or FIELD:=JSON.", valueName: "field=value"),
            transform: FieldArgument.init)
        var fields: [FieldArgument] = []

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("The body: JSON, @FILE, or - for standard input.", valueName: "json"))
        var data: String?

        private var isMethod: Bool { verb.allSatisfy { ("A"..."Z").contains($0) } }

        func validate() throws {
            if isMethod, let field = fields.first {
                throw ValidationError("\(verb) takes its body from --data, not from “\(field.name)”")
            }
            if !isMethod, data != nil { throw ValidationError("an action takes FIELD=VALUE, not --data") }
            if !isMethod, target.hasSlash { _ = try ObjectURI.argument(target) }
        }

        func run(_ output: Output) async throws {
            let body = try data.map { try InputArgument.json($0) }
            try await withSynchronizer(output) { synchronizer in
                let answer: Value?
                if isMethod {
                    answer = try await asked(nil, method: verb) {
                        try await synchronizer.request(method: verb, path: target, body: body)
                    }
                } else if !target.hasSlash {
                    let resource = try synchronizer.routeFile.known(target)
                    let forms = try await ShownForms(fields, of: resource, in: synchronizer)
                    let arguments = try fields.members(of: resource, forms)
                    answer = try await asked(target, method: resource.method(of: verb)) {
                        try await synchronizer.request(verb, of: target, arguments: arguments)
                    }
                } else {
                    let uri = try ObjectURI.argument(target)
                    let resource = try synchronizer.routeFile.known(uri.entity)
                    let forms = try await ShownForms(fields, of: resource, at: uri, in: synchronizer)
                    let arguments = try fields.members(of: resource, forms)
                    answer = try await asked(uri.entity, method: resource.method(of: verb)) {
                        try await synchronizer.request(verb, on: uri, arguments: arguments)
                    }
                }
                if output.isJSON { return try output.json(answer ?? .null) }
                if let answer {
                    try output.line(answer.prettyJSON())
                } else if !isMethod {
                    let entity = String(target.prefix { $0 != "/" })
                    try output.remark(
                        "done; the answer showed no object, so what it changed is seen with the next "
                            + "atmos pull \(entity.shellWord)"
                    )
                }
            }
        }

        /// What changes something on the server says where that may be done without an answer.
        ///
        /// - Parameters:
        ///   - entity: of what is changed; nil where nobody knows.
        ///   - method: of the request; nil for an action that the route file does not have.
        private func asked(
            _ entity: String?, method: String?, _ body: () async throws -> Value?
        ) async throws -> Value? {
            guard let method, !["GET", "HEAD", "OPTIONS"].contains(method) else { return try await body() }
            return try await atOnce(entity, body)
        }
    }

    extension Resource {
        fileprivate func method(of action: String) -> String? { actions.first { $0.name == action }?.method }
    }
#endif
