#if Notifications
    import AtmosphereNotifications

    /// Serves until it is interrupted. The first argument is the port; 8766 without it.
    @main
    struct Main {
        static func main() async throws {
            var options = SocketIOServerOptions()
            options.port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8766
            let server = SocketIOServer(options, application: EchoApplication())
            print("http://127.0.0.1:\(try await server.start())")
            while true { try await Task.sleep(for: .seconds(3600)) }
        }
    }
#else
    @main
    struct Main {
        static func main() { print("build it with the trait Notifications") }
    }
#endif
