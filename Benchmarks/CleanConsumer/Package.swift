// swift-tools-version: 6.2
import PackageDescription

// What an application needs that keeps its objects in JSON files and brings no other library: no package is fetched.
let package = Package(
    name: "clean-consumer",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "atmosphere", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "CleanConsumer",
            dependencies: [
                .product(name: "Atmosphere", package: "atmosphere"),
                .product(name: "AtmosphereJSONFile", package: "atmosphere")
            ],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
        )
    ]
)
