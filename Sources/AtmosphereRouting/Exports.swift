@_exported public import AtmosphereModel
