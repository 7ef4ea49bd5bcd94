// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "atmosphere-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "atmosphere", path: "..", traits: ["SQLite", "Curl", "YAML"])
    ],
    targets: [
        .executableTarget(
            name: "socketio-fuzz",
            dependencies: [
                .product(name: "Atmosphere", package: "atmosphere"),
                .product(name: "AtmosphereSocketIO", package: "atmosphere")
            ],
            path: "Sources/SocketIOFuzz"
        ),
        .executableTarget(
            name: "query-benchmark",
            dependencies: [
                .product(name: "Atmosphere", package: "atmosphere"),
                .product(name: "AtmosphereSQLite", package: "atmosphere"),
                .product(name: "AtmospherePlain", package: "atmosphere")
            ],
            path: "Sources/QueryBenchmark"
        ),
        .executableTarget(
            name: "pull-benchmark",
            dependencies: [
                .product(name: "Atmosphere", package: "atmosphere"),
                .product(name: "AtmosphereSQLite", package: "atmosphere"),
                .product(name: "AtmosphereCurl", package: "atmosphere"),
                .product(name: "AtmosphereYAML", package: "atmosphere"),
                .product(name: "AtmospherePlain", package: "atmosphere")
            ],
            path: "Sources/PullBenchmark"
        )
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility")
    ]
}
