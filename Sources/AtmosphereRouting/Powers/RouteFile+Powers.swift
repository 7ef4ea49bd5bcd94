extension RouteFile {
    /// What the file has the program do beyond requests without credentials to ``base``, one line in plain words for each:
    /// `sends secret:TOKEN to https://api.example.com`. Empty where there is nothing.
    ///
    /// Whoever writes a route file decides where secrets go and which programs run, so a program that takes route files
    /// from others asks a person first. The `atmos` command does; ``Synchronizer/open(_:adapters:secrets:authenticator:resolvers:folder:tokens:environment:log:wrapping:)-(String,_,_,_,_,_,_,_,_,_)``
    /// does not, because an application ships its route file itself.
    ///
    /// Computed from what the file means, so neither comments nor mappings change it. Paths are looked at as they lead now,
    /// symbolic links included.
    public var powers: [String] { declaredPowers.map(\.text) }

    /// See ``powers``.
    package var declaredPowers: [RouteFilePower] {
        var powers: [RouteFilePower] = []
        func add(_ kind: RouteFilePower.Kind, _ text: String) {
            let power = RouteFilePower(kind, text)
            let isKnown = powers.contains { $0.kind == kind && $0.text.hasSameBytes(as: text) }
            if !isKnown { powers.append(power) }
        }
        for program in programs { add(.run, "runs \(program.words.shown) \(program.purpose)") }
        let servers = ([base] + credentialOrigins).joined(separator: " and ")
        for name in secretNames { add(.secret, "sends \(name) to \(servers)") }
        if case .oauth2(let settings) = auth {
            let endpoints = ([settings.token] + [settings.device, settings.revoke].compactMap(\.self))
                .joined(separator: " and ")
            for name in settings.secretNames { add(.secret, "sends \(name) to \(endpoints)") }
            add(
                .connect,
                "signs in at \(([settings.authorize].compactMap(\.self) + [endpoints]).joined(separator: " and "))")
        }
        if case .adapter(let kind, _) = auth { add(.settings, "signs requests with the authenticator \(kind)") }
        if let place = tokenPlace {
            if case .asked = auth {
                add(.token, "keeps what is typed at atmos login in \(place) and sends it to \(servers)")
            } else {
                add(.token, "keeps tokens in \(place) and sends them to \(servers)")
            }
        }
        if let file = secrets.file, !powers.isEmpty || live != nil {
            add(.read, "reads secrets from \(told(beside(file)))")
        }
        if let live {
            let proxy = live.proxy.map { $0 == "none" ? "" : " through \($0)" } ?? ""
            add(.connect, "connects to \(live.url)\(proxy)")
            add(.secret, "sends \(live.key) to \(live.url)")
            if let key = live.publishKey { add(.secret, "sends \(key) to \(live.publish ?? live.url)") }
            if let file = live.certificates { add(.read, "trusts the certificates in \(told(beside(file)))") }
        }
        for path in foreignReads { add(.read, "reads \(path)") }
        for path in foreignStorePaths { add(.write, "reads and writes \(path)") }
        if !store.settings.names.isEmpty { add(.settings, "gives settings of its own to the store \(store.kind)") }
        if !transport.settings.names.isEmpty {
            add(.settings, "gives settings of its own to the transport \(transport.kind)")
        }
        return powers
    }

    /// Stands for all that ``powers`` can do, with the file's place: equal digests, equal powers. A changed comment, name or
    /// mapping changes nothing; another `base`, program, secret, server or path does. So does another content, or another
    /// place, of a program or of another file that its command names: by a relative path, or in the route file's own folder.
    ///
    /// - Returns: 64 hexadecimal digits; nil for a file without powers.
    public var powersDigest: String? {
        let powers = declaredPowers
        guard !powers.isEmpty else { return nil }
        var lines = ["atmosphere powers 1", FilePlace.real(source) ?? source, base, style]
        let sections = ["auth.", "secrets.", "live.", "store.settings", "transport.settings", "transport.path"]
        for setting in settings where setting.origin != "default" {
            guard sections.contains(where: { setting.path.hasPrefix($0) }) || setting.path == "auth" else { continue }
            lines += [setting.path, setting.value]
        }
        lines += [store.kind, transport.kind] + credentialOrigins
        lines += powers.flatMap { [$0.kind.rawValue, $0.text] }
        // Each of them: two names of the same characters can be two files.
        for file in programs.flatMap(\.words).sorted() {
            // What a path from the root names outside the folder is the system's, and counts by its name.
            guard !file.beginsWithSlash || FilePlace.passes(folder, on: file), let real = FilePlace.real(file) else {
                continue
            }
            var content = SHA256Digest()
            if let bytes = try? SmallFile.read(real, limit: 16 << 20) {
                content.update(bytes)
                lines += [file, real, content.finish()]
            } else {
                lines += [file, real, FilePlace.stamp(of: real) ?? ""]
            }
        }
        var digest = SHA256Digest()
        for line in lines {
            // With its length, so that no text can stand for two.
            digest.update(Array("\(line.utf8.count):\(line)\n".utf8))
        }
        return digest.finish()
    }

    // MARK: Parts

    /// The servers beside that of ``base`` which credentials go to.
    private var credentialOrigins: [String] {
        var origins: [String] = []
        guard auth != .none else { return [] }
        for origin in resources.flatMap({ $0.attachments.flatMap(\.origins) }) {
            if !origins.contains(where: { $0.hasSameBytes(as: origin) }) { origins.append(origin) }
        }
        return origins
    }

    /// The commands for tokens.
    private var programs: [(words: [String], purpose: String)] {
        guard case .commands(let load, let save, let remove) = tokens else { return [] }
        return [(load, "to load tokens"), (save, "to save tokens"), (remove, "to remove tokens")].filter {
            !$0.0.isEmpty
        }
    }

    /// nil where no tokens are kept, or programs keep them.
    private var tokenPlace: String? {
        switch auth {
        case .oauth2, .session, .adapter, .asked: break
        default: return nil
        }
        guard case .file(let path) = tokens else { return "what these programs keep" }
        return told(path.map(beside) ?? store.location(beside: source).path + ".tokens")
    }

    /// The route file's folder with its slash; empty for the working directory.
    private var folder: String { String(source.throughLastSlash) }

    private func beside(_ path: String) -> String { path.beginsWithSlash ? path : folder + path }

    /// A path as a person is told it: with the place that it leads to where a symbolic link in the route file's folder, or
    /// on a way that begins there, leads it elsewhere. What is allowed is that place. A path from the root that does not
    /// lead into the folder is the system's, and counts by its name.
    private func told(_ path: String) -> String {
        guard !path.beginsWithSlash || !folder.isEmpty, let own = path.rest(after: folder) else { return path }
        guard let destination = FilePlace.destination(path) else { return path }
        let place = FilePlace.destination(folder.isEmpty ? "." : folder) ?? ""
        let plain = FilePlace.withoutDots("\(place)/\(own)")
        return destination == plain ? path : "\(path), which leads to \(destination)"
    }

    /// Files that are read and lie elsewhere.
    private var foreignReads: [String] {
        [styleFile, transport.path].compactMap(\.self).map(beside)
            .filter { !FilePlace.showsItsSlashes($0) || !FilePlace.isInside($0, folder) }.map(told)
    }

    /// What the store keeps elsewhere: all that stands beside it where its folder is elsewhere, and what a symbolic link
    /// leads there. Whoever has made the folder may have put links where the store keeps contents, downloads or a log.
    private var foreignStorePaths: [String] {
        guard store.kind != "memory" else { return [] }
        let path = store.location(beside: source).path.withoutLastSlashes
        let holder = String(path.throughLastSlash)
        guard FilePlace.showsItsSlashes(path), FilePlace.isInside(holder, folder) else { return [told(path)] }
        let links = FilePlace.links(leadingOutOf: folder, beside: path)
        let isTold = FilePlace.isInside(path, folder) || links.contains { $0.hasSameBytes(as: path) }
        return (isTold ? links : [path] + links).map(told)
    }
}

extension [String] {
    /// As a shell would be told them.
    fileprivate var shown: String { map(\.shellWord).joined(separator: " ") }
}
