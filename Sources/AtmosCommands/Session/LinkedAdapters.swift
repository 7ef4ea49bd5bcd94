#if Command || Demo
    internal import Atmosphere
    internal import AtmosphereCurl
    internal import AtmosphereDjangoREST
    internal import AtmospherePlain
    internal import AtmosphereSQLite
    internal import AtmosphereYAML
    #if Command
        internal import AtmosphereCloudKit
        internal import AtmosphereGoogleTasks
        internal import AtmosphereJSONAPI
        internal import AtmosphereJSONFile
        internal import AtmosphereOAuth2
        internal import AtmosphereRails
        internal import AtmosphereReplay
        internal import AtmosphereSocketIOClient
        internal import AtmosphereURLSession
        internal import AtmosphereXML
    #endif

    /// What the program that runs the command brings along.
    enum BroughtAdapters {
        @TaskLocal static var current: [Adapter] = []
    }

    extension [Adapter] {
        #if Command
            /// Everything that the command has; under `record` and `replay` with other transports.
            static var linked: [Adapter] {
                // The first of a name counts.
                let all = BroughtAdapters.current + own
                return CassetteUse.current?.change(all) ?? all
            }

            private static let own: [Adapter] = [
                .yaml, .cloudKit, .cloudKitChanges, .djangoREST, .googleTasks, .jsonAPI, .plain, .rails, .curl,
                .urlSession, .replay, .oauth2, .sqlite, .jsonFile, .memory, .xml, .socketIO
            ]
        #else
            /// What the demo works with.
            static let linked: [Adapter] = [.yaml, .djangoREST, .plain, .curl, .sqlite]
        #endif
    }
#endif
