// swift-tools-version: 6.2
import PackageDescription

// Each trait is what one outside dependency is for; a consumer who wants the core alone says `traits: []`.
let package = Package(
    name: "atmosphere",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "Atmosphere", targets: ["Atmosphere"]),
        // The rooms of the core, for adapters that need no more than one; Atmosphere exports them all.
        .library(name: "AtmosphereModel", targets: ["AtmosphereModel"]),
        .library(name: "AtmosphereRouting", targets: ["AtmosphereRouting"]),
        .library(name: "AtmosphereStore", targets: ["AtmosphereStore"]),
        .library(name: "AtmosphereExchange", targets: ["AtmosphereExchange"]),
        .library(name: "AtmosphereTesting", targets: ["AtmosphereTesting"]),
        // Apart from the suites, so that nobody links the Testing library by accident.
        .library(name: "AtmosphereSwiftTesting", targets: ["AtmosphereSwiftTesting"]),
        .library(name: "AtmosphereSQLite", targets: ["AtmosphereSQLite"]),
        .library(name: "AtmosphereJSONFile", targets: ["AtmosphereJSONFile"]),
        .library(name: "AtmosphereCurl", targets: ["AtmosphereCurl"]),
        .library(name: "AtmosphereOAuth2", targets: ["AtmosphereOAuth2"]),
        .library(name: "AtmosphereReachability", targets: ["AtmosphereReachability"]),
        .library(name: "AtmosphereReplay", targets: ["AtmosphereReplay"]),
        .library(name: "AtmosphereURLSession", targets: ["AtmosphereURLSession"]),
        .library(name: "AtmosphereXML", targets: ["AtmosphereXML"]),
        .library(name: "AtmosphereYAML", targets: ["AtmosphereYAML"]),
        .library(name: "AtmosphereDjangoREST", targets: ["AtmosphereDjangoREST"]),
        .library(name: "AtmosphereGoogleTasks", targets: ["AtmosphereGoogleTasks"]),
        .library(name: "AtmosphereCloudKit", targets: ["AtmosphereCloudKit"]),
        .library(name: "AtmosphereJSONAPI", targets: ["AtmosphereJSONAPI"]),
        .library(name: "AtmospherePlain", targets: ["AtmospherePlain"]),
        .library(name: "AtmosphereRails", targets: ["AtmosphereRails"]),
        .library(name: "AtmosphereSocketIO", targets: ["AtmosphereSocketIO"]),
        .library(name: "AtmosphereSocketIOClient", targets: ["AtmosphereSocketIOClient"]),
        .library(name: "AtmosphereNotifications", targets: ["AtmosphereNotifications"]),
        .library(name: "AtmosphereSource", targets: ["AtmosphereSource"]),
        .library(name: "AtmosphereGateway", targets: ["AtmosphereGateway"]),
        .library(name: "AtmosCommands", targets: ["AtmosCommands"]),
        .executable(name: "atmos", targets: ["atmos"])
    ],
    traits: [
        .trait(name: "SQLite", description: "The SQLite store (GRDB)."),
        .trait(name: "YAML", description: "Route files in YAML (Yams)."),
        .trait(name: "Curl", description: "The libcurl transport."),
        .trait(name: "OAuth2", description: "The authenticator for OAuth 2.0."),
        .trait(name: "XML", description: "The XML response extractor (libxml2)."),
        .trait(name: "Source", description: "The REST source (Hummingbird)."),
        .trait(name: "Gateway", description: "The gateway (Hummingbird)."),
        .trait(name: "Notifications", description: "The notification server (SwiftNIO, swift-crypto)."),
        .trait(name: "SocketIO", description: "The Socket.IO client (SwiftNIO)."),
        .trait(
            name: "Command",
            description: "The atmos command, with every adapter.",
            enabledTraits: ["SQLite", "YAML", "Curl", "OAuth2", "XML", "Source", "Gateway", "Notifications", "SocketIO"]
        ),
        .trait(
            name: "Demo",
            description: "The atmos command with its demo alone, and what that runs.",
            enabledTraits: ["SQLite", "YAML", "Curl", "Source"]
        ),
        .default(enabledTraits: ["Command"])
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        // Hummingbird's own dependencies, whose types it hands out.
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        // For the signatures of tokens and webhooks.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0")
    ],
    targets: [
        .target(name: "AtmosphereModel"),
        .target(name: "AtmosphereRouting", dependencies: ["AtmosphereModel"]),
        .target(name: "AtmosphereStore", dependencies: ["AtmosphereRouting"]),
        .target(name: "AtmosphereExchange", dependencies: ["AtmosphereStore"]),
        .target(name: "Atmosphere", dependencies: ["AtmosphereExchange"]),
        .target(name: "AtmosphereTesting", dependencies: ["Atmosphere"]),
        .target(name: "AtmosphereSwiftTesting", dependencies: ["AtmosphereTesting"]),
        .target(
            name: "AtmosphereSQLite",
            dependencies: [
                "AtmosphereStore",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
                .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["SQLite"]))
            ],
            path: "Adapters/SQLite"
        ),
        .target(name: "AtmosphereJSONFile", dependencies: ["AtmosphereStore"], path: "Adapters/JSONFile"),
        .target(
            name: "AtmosphereCurl",
            dependencies: [
                "AtmosphereExchange", .target(name: "CLibcurl", condition: .when(traits: ["Curl"])),
                .target(name: "CZlib", condition: .when(traits: ["Curl"]))
            ],
            path: "Adapters/Curl"
        ),
        .target(name: "AtmosphereReachability", dependencies: ["Atmosphere"], path: "Adapters/Reachability"),
        .target(name: "AtmosphereReplay", dependencies: ["AtmosphereExchange"], path: "Adapters/Replay"),
        .target(name: "AtmosphereURLSession", dependencies: ["AtmosphereExchange"], path: "Adapters/URLSession"),
        .target(name: "AtmosphereOAuth2", dependencies: ["AtmosphereExchange"], path: "Adapters/OAuth2"),
        .target(
            name: "AtmosphereXML",
            dependencies: ["AtmosphereExchange", .target(name: "CLibxml2", condition: .when(traits: ["XML"]))],
            path: "Adapters/XML"
        ),
        .target(
            name: "AtmosphereYAML",
            dependencies: [
                "AtmosphereRouting", .product(name: "Yams", package: "Yams", condition: .when(traits: ["YAML"]))
            ],
            path: "Adapters/YAML"
        ),
        .target(name: "AtmosphereDjangoREST", dependencies: ["AtmosphereRouting"], path: "Adapters/Styles/DjangoREST"),
        .target(
            name: "AtmosphereGoogleTasks", dependencies: ["AtmosphereRouting"], path: "Adapters/Styles/GoogleTasks"),
        .target(name: "AtmosphereCloudKit", dependencies: ["AtmosphereRouting"], path: "Adapters/Styles/CloudKit"),
        .target(name: "AtmosphereJSONAPI", dependencies: ["AtmosphereRouting"], path: "Adapters/Styles/JSONAPI"),
        .target(name: "AtmospherePlain", dependencies: ["AtmosphereRouting"], path: "Adapters/Styles/Plain"),
        .target(name: "AtmosphereRails", dependencies: ["AtmosphereRouting"], path: "Adapters/Styles/Rails"),
        .systemLibrary(
            name: "CLibcurl",
            path: "SystemLibraries/CLibcurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]
        ),
        .systemLibrary(
            name: "CLibxml2",
            path: "SystemLibraries/CLibxml2",
            pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]
        ),
        .systemLibrary(
            name: "CZlib",
            path: "SystemLibraries/CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
        ),
        .target(name: "AtmosphereSocketIO", dependencies: ["AtmosphereModel"]),
        .target(
            name: "AtmosphereSocketIOClient",
            dependencies: [
                "Atmosphere", "AtmosphereSocketIO",
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio", condition: .when(traits: ["SocketIO"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["SocketIO"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["SocketIO"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["SocketIO"])),
                .product(name: "NIOWebSocket", package: "swift-nio", condition: .when(traits: ["SocketIO"])),
                .product(name: "NIOTLS", package: "swift-nio", condition: .when(traits: ["SocketIO"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["SocketIO"]))
            ],
            path: "Adapters/SocketIOClient"
        ),
        .target(
            name: "AtmosphereNotifications",
            dependencies: [
                "AtmosphereExchange", "AtmosphereSocketIO",
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Notifications"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Notifications"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Notifications"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Notifications"])),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: .when(traits: ["Notifications"])),
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Notifications"]))
            ]
        ),
        // The HTTP server that the source and the gateway run on.
        .target(
            name: "AtmosphereServing",
            dependencies: [
                .product(
                    name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["Source", "Gateway"])),
                .product(
                    name: "Logging", package: "swift-log", condition: .when(traits: ["Source", "Gateway"])),
                .product(
                    name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Source", "Gateway"])),
                .product(
                    name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Source", "Gateway"])),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle",
                    condition: .when(traits: ["Source", "Gateway"])
                )
            ]
        ),
        .target(
            name: "AtmosphereSource",
            dependencies: [
                "Atmosphere", "AtmosphereServing",
                .product(name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["Source"])),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Source"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Source"]))
            ]
        ),
        // What commands print with --json and the gateway answers: one place makes the shapes.
        .target(name: "AtmosphereReports", dependencies: ["Atmosphere"]),
        // What browsers load from the gateway.
        .target(name: "CAtmospherePages", exclude: ["Web"]),
        .target(
            name: "AtmosphereGateway",
            dependencies: [
                "Atmosphere", "AtmosphereReports", "AtmosphereServing", "CAtmospherePages",
                .target(name: "CZlib", condition: .when(traits: ["Gateway"])),
                .target(name: "AtmosphereNotifications", condition: .when(traits: ["Notifications"])),
                .target(name: "AtmosphereSocketIO", condition: .when(traits: ["Notifications"])),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["Gateway"])),
                .product(name: "HummingbirdTLS", package: "hummingbird", condition: .when(traits: ["Gateway"])),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Gateway"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Gateway"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Gateway"]))
            ]
        ),
        .target(
            name: "AtmosCommands",
            dependencies: [
                "Atmosphere", "AtmosphereSQLite", "AtmosphereCurl", "AtmosphereYAML", "AtmosphereDjangoREST",
                "AtmospherePlain", "AtmosphereReports", "AtmosphereSource",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Command"])
                )
            ]
                + [
                    "AtmosphereJSONFile", "AtmosphereXML", "AtmosphereGoogleTasks", "AtmosphereRails",
                    "AtmosphereCloudKit", "AtmosphereJSONAPI", "AtmosphereSocketIO", "AtmosphereSocketIOClient",
                    "AtmosphereNotifications", "AtmosphereOAuth2", "AtmosphereReachability", "AtmosphereReplay",
                    "AtmosphereURLSession", "AtmosphereGateway"
                ].map { .target(name: $0, condition: .when(traits: ["Command"])) }
        ),
        .executableTarget(name: "atmos", dependencies: ["AtmosCommands"]),
        .executableTarget(
            name: "simulate",
            dependencies: [
                "Atmosphere", "AtmosphereTesting",
                .target(name: "AtmosphereSQLite", condition: .when(traits: ["SQLite"]))
            ]
        ),
        // As an application would be, but built with the rest: it sees what is public alone.
        .executableTarget(
            name: "QuickStart",
            dependencies: [
                "Atmosphere", "AtmosphereYAML", "AtmosphereDjangoREST", "AtmosphereCurl", "AtmosphereSQLite"
            ],
            path: "Samples/QuickStart",
            exclude: ["README.md", "tasks.yaml"],
            packageAccess: false
        ),
        .executableTarget(
            name: "Zone",
            dependencies: ["Atmosphere", "AtmosphereYAML", "AtmospherePlain", "AtmosphereCurl", "AtmosphereSQLite"],
            path: "Samples/Zone",
            exclude: ["README.md", "demo.sh", "zone.yaml", "zone.png", "pages", "server"],
            packageAccess: false
        ),
        .executableTarget(
            name: "TaskDo",
            dependencies: [
                "Atmosphere", "AtmosphereYAML", "AtmosphereGoogleTasks", "AtmosphereOAuth2", "AtmosphereCurl",
                "AtmosphereSQLite"
            ],
            path: "Samples/TaskDo",
            exclude: ["README.md", "demo.sh", "measure.sh", "taskdo.yaml", "taskdo.png", "pages"],
            packageAccess: false
        ),
        .executableTarget(
            name: "SyncBlog",
            dependencies: ["Atmosphere", "AtmosphereYAML", "AtmospherePlain", "AtmosphereCurl", "AtmosphereSQLite"],
            path: "Samples/SyncBlog",
            exclude: ["README.md", "demo.sh", "blog.yaml", "blog.png", "pages", "server"],
            packageAccess: false
        ),
        .executableTarget(
            name: "ZaCloud",
            dependencies: ["Atmosphere", "AtmosphereYAML", "AtmospherePlain", "AtmosphereCurl", "AtmosphereSQLite"],
            path: "Samples/ZaCloud",
            exclude: ["README.md", "demo.sh", "zacloud.yaml", "zacloud.png", "pages", "server"],
            packageAccess: false
        ),
        .executableTarget(
            name: "Edukit",
            dependencies: [
                "Atmosphere", "AtmosphereYAML", "AtmosphereRails", "AtmosphereCurl", "AtmosphereSQLite",
                "AtmosphereSocketIOClient"
            ],
            path: "Samples/Edukit",
            exclude: ["README.md", "demo.sh", "measure.rb", "edukit.yaml", "edukit.png", "pages", "server"],
            packageAccess: false
        ),
        .executableTarget(
            name: "RPic",
            dependencies: [
                "Atmosphere", "AtmosphereYAML", "AtmosphereDjangoREST", "AtmosphereCloudKit", "AtmosphereCurl",
                "AtmosphereSQLite"
            ],
            path: "Samples/RPic",
            exclude: [
                "README.md", "COMPARISON.md", "rpic.png", "demo.sh", "thousand.py", "rpic.yaml", "cloudkit.yaml",
                "pages",
                "server"
            ],
            packageAccess: false
        ),
        .executableTarget(
            name: "EchoServer",
            dependencies: ["Atmosphere", "AtmosphereSocketIO", "AtmosphereNotifications"],
            path: "Samples/EchoServer",
            exclude: ["README.md"],
            packageAccess: false
        ),
        .testTarget(
            name: "AtmosphereTests",
            dependencies: ["Atmosphere", "AtmosphereReports", "AtmosphereTesting", "AtmosphereSwiftTesting"]),
        .testTarget(name: "AtmosphereSocketIOTests", dependencies: ["Atmosphere", "AtmosphereSocketIO"]),
        .testTarget(
            name: "AtmosphereNotificationsTests",
            dependencies: [
                "Atmosphere", "AtmosphereSocketIO", "AtmosphereNotifications",
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Notifications"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Notifications"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Notifications"])),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: .when(traits: ["Notifications"])),
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Notifications"]))
            ]
        ),
        .testTarget(
            name: "AtmosphereAdapterTests",
            dependencies: [
                "Atmosphere", "AtmosphereTesting", "AtmosphereSQLite", "AtmosphereJSONFile", "AtmosphereCurl",
                "AtmosphereXML", "AtmosphereYAML", "AtmosphereDjangoREST", "AtmosphereGoogleTasks", "AtmospherePlain",
                "AtmosphereRails", "AtmosphereCloudKit", "AtmosphereJSONAPI", "AtmosphereOAuth2",
                "AtmosphereReachability", "AtmosphereReplay", "AtmosphereURLSession",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["OAuth2"]))
            ]
        ),
        .testTarget(
            name: "AtmosphereSourceTests",
            dependencies: [
                "Atmosphere", "AtmosphereTesting", "AtmosphereSource", "AtmosphereCurl", "AtmosphereXML",
                "AtmosphereYAML", "AtmosphereDjangoREST", "AtmosphereGoogleTasks", "AtmospherePlain",
                "AtmosphereRails", "AtmosphereJSONAPI", "AtmosphereCloudKit", "AtmosphereOAuth2", "AtmosphereSQLite",
                "AtmosphereJSONFile", "AtmosphereReplay", "AtmosphereURLSession"
            ]
        ),
        .testTarget(
            name: "AtmosphereGatewayTests",
            dependencies: [
                "Atmosphere", "AtmosphereGateway", "AtmosphereSource",
                "AtmosphereCurl", "AtmosphereYAML", "AtmosphereDjangoREST", "AtmospherePlain"
            ]
        ),
        .testTarget(
            name: "AtmosCommandsTests",
            dependencies: [
                "atmos", "AtmosCommands", "Atmosphere", "AtmosphereReports", "AtmosphereSource", "AtmosphereTesting",
                "AtmosphereCurl",
                "AtmosphereOAuth2", "AtmosphereYAML", "AtmosphereDjangoREST"
            ]
        ),
        .testTarget(
            name: "InteropTests",
            dependencies: [
                "Atmosphere", "AtmosphereSQLite", "AtmosphereCurl", "AtmosphereXML", "AtmosphereYAML",
                "AtmosphereDjangoREST", "AtmosphereGoogleTasks", "AtmosphereJSONAPI", "AtmosphereRails",
                "AtmosphereOAuth2", "AtmospherePlain",
                "AtmosphereSource", "AtmosphereSocketIO", "AtmosphereSocketIOClient", "AtmosphereNotifications",
                "EchoServer", "atmos",
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Notifications"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Notifications"]))
            ],
            path: "Tests/Interop",
            exclude: ["django", "gateway", "google", "oauth", "openapi", "pages", "rails", "redis", "socketio"]
        )
    ]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility")
    ]
}
