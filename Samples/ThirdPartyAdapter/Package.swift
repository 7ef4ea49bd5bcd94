// swift-tools-version: 6.2
import PackageDescription

// Adapters by somebody else: the public API of the core, and the conformance suites. It fetches no package.
let package = Package(
    name: "third-party",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "HouseAdapters", targets: ["HouseStore", "HouseTransport", "HouseStyle"]),
        .library(name: "TodoModels", targets: ["TodoModels"])
    ],
    dependencies: [.package(name: "atmosphere", path: "../..", traits: [])],
    targets: [
        // Each knows the room of its protocol, and no other.
        .target(name: "HouseStore", dependencies: [.product(name: "AtmosphereStore", package: "atmosphere")]),
        .target(name: "HouseTransport", dependencies: [.product(name: "AtmosphereExchange", package: "atmosphere")]),
        .target(name: "HouseStyle", dependencies: [.product(name: "AtmosphereRouting", package: "atmosphere")]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(
            name: "TodoModels",
            dependencies: [
                .product(name: "Atmosphere", package: "atmosphere"),
                .product(name: "AtmosphereJSONFile", package: "atmosphere"),
                "CSQLite"
            ]
        ),
        .testTarget(
            name: "HouseAdaptersTests",
            dependencies: [
                "HouseStore", "HouseTransport", "HouseStyle",
                .product(name: "Atmosphere", package: "atmosphere"),
                .product(name: "AtmosphereRouting", package: "atmosphere"),
                .product(name: "AtmospherePlain", package: "atmosphere"),
                .product(name: "AtmosphereSwiftTesting", package: "atmosphere"),
                .product(name: "AtmosphereTesting", package: "atmosphere")
            ]
        ),
        .testTarget(
            name: "TodoModelsTests",
            dependencies: [
                "TodoModels",
                .product(name: "Atmosphere", package: "atmosphere"),
                .product(name: "AtmosphereJSONFile", package: "atmosphere"),
                .product(name: "AtmospherePlain", package: "atmosphere"),
                .product(name: "AtmosphereSwiftTesting", package: "atmosphere"),
                .product(name: "AtmosphereTesting", package: "atmosphere")
            ]
        )
    ]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility")
    ]
}
