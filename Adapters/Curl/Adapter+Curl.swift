#if Curl
    public import AtmosphereExchange

    extension Adapter {
        /// Offers `CurlTransport` under `transport.kind: curl`.
        public static var curl: Adapter {
            .transport("curl") { settings in try CurlTransport(settings: settings) }
        }
    }
#endif
