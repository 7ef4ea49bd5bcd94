@_exported public import AtmosphereRouting
