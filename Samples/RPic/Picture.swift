#if Command
    import Atmosphere
    import Foundation

    /// What is told of a picture; the picture itself is the content of `picture`.
    struct Picture: Codable {
        var title: String
        var taken: Date
        var latitude: String?
        var latitudeRef: String?
        var longitude: String?
        var longitudeRef: String?
        /// Whose it is; the server says so.
        var user: String?
    }

    /// Degrees without a sign and a side, as cameras write them.
    struct Position {
        var latitude: String
        var latitudeRef: String
        var longitude: String
        var longitudeRef: String

        /// Where a picture is that has no place: the institute IMPA, in Rio de Janeiro.
        static let impa = Position(latitude: "22.9618", latitudeRef: "S", longitude: "43.2375", longitudeRef: "W")
    }

    extension Position {
        /// - Parameter text: as `22.9519S,43.2105W`.
        init(_ text: String) throws {
            let parts = text.uppercased().split(separator: ",").map(String.init)
            guard parts.count == 2, let north = parts[0].last, "NS".contains(north), let east = parts[1].last,
                "EW".contains(east), let latitude = Double(parts[0].dropLast()), (0...90).contains(latitude),
                let longitude = Double(parts[1].dropLast()), (0...180).contains(longitude)
            else { throw Failure("\(text) is no place; write it as 22.9519S,43.2105W") }
            self.init(
                latitude: String(parts[0].dropLast()), latitudeRef: String(north),
                longitude: String(parts[1].dropLast()), longitudeRef: String(east))
        }
    }
#endif
