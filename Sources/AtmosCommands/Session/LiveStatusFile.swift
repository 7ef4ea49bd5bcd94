#if Command
    internal import Atmosphere
    internal import AtmosphereReports
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif
    #if canImport(Darwin)
        internal import Darwin
    #elseif canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #endif

    /// Where `sync --watch` leaves for `status` whether live updates arrive: a file beside the store.
    struct LiveStatusFile: Sendable {
        private let path: String

        /// nil without live updates, and for a store in memory.
        init?(of routeFile: RouteFile) {
            guard routeFile.live != nil, routeFile.store.kind != "memory" else { return nil }
            path = routeFile.store.location(beside: routeFile.source).path + ".live"
        }

        /// Help for people: where it cannot be written, nothing else fails.
        func write(_ status: LiveStatus) {
            guard status != .off else { return }
            let content = Value.object(status.members.merging("pid", .init(Int(getpid()))))
            try? Data(UnseenText.escaped(content.json())).write(to: URL(fileURLWithPath: path), options: .atomic)
        }

        func remove() { try? FileManager.default.removeItem(atPath: path) }

        /// What the watching process said last: `state`, `since` and `reason`; `off` where none runs.
        func read() -> Value.Members {
            guard let data = FileManager.default.contents(atPath: path), data.count < 65_536,
                var members = (try? Value(json: Array(data)))?.members, let pid = members["pid"]?.number?.int64,
                pid > 0, pid <= Int64(Int32.max), kill(pid_t(pid), 0) == 0 || errno == EPERM
            else { return LiveStatus.off.members }
            members["pid"] = nil
            return members
        }
    }

    extension Value.Members {
        fileprivate func merging(_ name: String, _ value: Value) -> Value.Members {
            var copy = self
            copy[name] = value
            return copy
        }

        /// One line for people.
        var liveLine: String {
            let since = self["since"]?.string.map { " since \($0)" } ?? ""
            switch self["state"]?.string {
            case "connected": return "live updates: connected\(since)"
            case "connecting": return "live updates: connecting"
            case "disconnected":
                return "live updates: not connected\(since) (\(self["reason"]?.string ?? "")); pulling at intervals"
            default: return "live updates: not followed; atmos sync --watch does"
            }
        }
    }
#endif
