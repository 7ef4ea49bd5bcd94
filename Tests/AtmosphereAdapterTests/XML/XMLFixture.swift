#if XML
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// Files of `Tests/Fixtures/xml`.
    enum XMLFixture {
        static func bytes(_ name: String, testFile: String = #filePath) throws -> [UInt8] {
            let tests = testFile.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(
                separator: "/")
            return Array(try Data(contentsOf: URL(filePath: "\(tests)/Fixtures/xml/\(name)")))
        }
    }
#endif
