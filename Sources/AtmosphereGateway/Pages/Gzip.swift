#if Gateway
    internal import CZlib
#endif

/// Contents that are smaller on the way (RFC 1952).
enum Gzip {
    /// - Returns: nil where it would be no smaller, or where the library was built without the trait Gateway.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        #if Gateway
            // It refers to its own address.
            let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
            stream.initialize(to: z_stream())
            defer { stream.deallocate() }
            // As gzip -9 does it: 16 is for the wrapping, and 8 is its memory.
            let begun = deflateInit2_(
                stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY,
                ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
            guard begun == Z_OK else { return nil }
            defer { deflateEnd(stream) }
            var input = bytes
            let output = [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
                input.withUnsafeMutableBufferPointer { input in
                    stream.pointee.next_in = input.baseAddress
                    stream.pointee.avail_in = UInt32(input.count)
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = UInt32(output.count)
                    let isWhole = deflate(stream, Z_FINISH) == Z_STREAM_END
                    count = isWhole ? output.count - Int(stream.pointee.avail_out) : 0
                }
            }
            return output.isEmpty ? nil : output
        #else
            return nil
        #endif
    }
}
