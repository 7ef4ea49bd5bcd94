@_exported public import AtmosphereStore
