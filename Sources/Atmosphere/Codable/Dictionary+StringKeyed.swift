/// A dictionary's keys are data and no names of fields.
protocol StringKeyed {}

extension Dictionary: StringKeyed where Key == String {}
