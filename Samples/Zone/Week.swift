#if Command
    import Foundation

    /// A week by ISO 8601, in the time zone of whoever looks at it.
    struct Week {
        let name: String
        let days: [DateInterval]

        var end: Date { days[6].end }

        private static let calendar = {
            var calendar = Calendar(identifier: .iso8601)
            calendar.timeZone = .current
            return calendar
        }()

        /// - Parameter text: as `2026-W48`.
        init?(_ text: String) {
            let parts = text.split(separator: "-W").compactMap { Int($0) }
            guard parts.count == 2, (1...9999).contains(parts[0]), (1...53).contains(parts[1]) else { return nil }
            let monday = DateComponents(weekday: 2, weekOfYear: parts[1], yearForWeekOfYear: parts[0])
            guard let start = Self.calendar.date(from: monday) else { return nil }
            self.init(of: start)
        }

        init?(of moment: Date) {
            let calendar = Self.calendar
            guard let week = calendar.dateInterval(of: .weekOfYear, for: moment) else { return nil }
            let parts = calendar.dateComponents([.weekOfYear, .yearForWeekOfYear], from: week.start)
            guard let year = parts.yearForWeekOfYear, let number = parts.weekOfYear else { return nil }
            name = "\(year)-W\(number < 10 ? "0" : "")\(number)"
            days = (0..<7).compactMap { day in
                calendar.date(byAdding: .day, value: day, to: week.start).flatMap {
                    calendar.dateInterval(of: .day, for: $0)
                }
            }
            guard days.count == 7 else { return nil }
        }

        /// A line for each day, a column for each half hour; a zone that runs is not shown.
        func chart(of zones: [Zone]) -> String {
            let week = DateInterval(start: days[0].start, end: end)
            let inWeek = zones.compactMap { zone in
                zone.ended.flatMap {
                    $0 > zone.started ? DateInterval(start: zone.started, end: $0).intersection(with: week) : nil
                }
            }
            let times = merged(inWeek, within: 0)
            let bars = Array(" ▁▂▃▄▅▆▇█")
            var lines = [
                "\(name)  "
                    + ["0", "6", "12", "18"].map { $0.padding(toLength: 12, withPad: " ", startingAt: 0) }.joined()
            ]
            for (name, day) in zip(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"], days) {
                let cells = (0..<48).map { half in
                    let cell = DateInterval(start: day.start.addingTimeInterval(Double(half) * 1800), duration: 1800)
                    return bars[Int((time(of: times, in: cell) / 1800 * 8).rounded())]
                }
                let total = time(of: times, in: day)
                lines.append("\(name)      \(String(cells))\(total > 0 ? " \(duration(total))" : "")")
            }
            lines.append("in the zone: \(duration(time(of: times, in: week)))")
            // What goes on within five minutes is one time without a break.
            let longest = merged(inWeek, within: 300).map(\.duration).max() ?? 0
            lines.append("longest without a break: \(duration(longest))")
            if let hour = productiveHour(times) { lines.append("most productive: \(hour) to \(hour + 1) o’clock") }
            return lines.map { String($0.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
        }

        /// Times that overlap, or follow within so many seconds, are one.
        private func merged(_ times: [DateInterval], within pause: TimeInterval) -> [DateInterval] {
            times.sorted { $0.start < $1.start }.reduce(into: []) { found, time in
                if let last = found.last, time.start <= last.end.addingTimeInterval(pause) {
                    found[found.count - 1] = DateInterval(start: last.start, end: max(last.end, time.end))
                } else {
                    found.append(time)
                }
            }
        }

        private func time(of times: [DateInterval], in part: DateInterval) -> TimeInterval {
            times.reduce(0) { $0 + ($1.intersection(with: part)?.duration ?? 0) }
        }

        /// The hour of the day with the most time of the week; nil in a week without zones.
        private func productiveHour(_ times: [DateInterval]) -> Int? {
            let sums = (0..<24).map { hour in
                days.reduce(0) {
                    $0
                        + time(
                            of: times,
                            in: DateInterval(start: $1.start.addingTimeInterval(Double(hour) * 3600), duration: 3600))
                }
            }
            guard let most = sums.max(), most > 0 else { return nil }
            return sums.firstIndex(of: most)
        }
    }

    /// In hours and minutes: `2 h 05`.
    func duration(_ seconds: TimeInterval) -> String {
        let minutes = Int((seconds / 60).rounded())
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
    }
#endif
