// A store imports this module alone: what it needs of values, records and resources comes with it.
@_exported public import AtmosphereRouting
