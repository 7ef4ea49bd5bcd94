@_exported public import AtmosphereExchange
