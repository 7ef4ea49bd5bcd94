// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "AtmosphereSamples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "atmosphere", path: "..", traits: ["SQLite", "YAML", "Curl"])],
    targets: [
        .executableTarget(
            name: "QuickStart",
            dependencies: [
                .product(name: "Atmosphere", package: "atmosphere"),
                .product(name: "AtmosphereYAML", package: "atmosphere"),
                .product(name: "AtmosphereDjangoREST", package: "atmosphere"),
                .product(name: "AtmosphereCurl", package: "atmosphere"),
                .product(name: "AtmosphereSQLite", package: "atmosphere")
            ],
            path: "QuickStart",
            exclude: ["README.md", "tasks.yaml"],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
        )
    ]
)
