/// Whether bytes are UTF-8, without keeping a string of them.
package enum UTF8Check {
    package static func isValid(_ bytes: some Collection<UInt8>) -> Bool {
        let plain = bytes.withContiguousStorageIfAvailable { buffer in
            var index = 0
            while index &+ 8 <= buffer.count {
                let word = UnsafeRawPointer(buffer.baseAddress! + index).loadUnaligned(as: UInt64.self)
                if word & 0x8080_8080_8080_8080 != 0 { return false }
                index &+= 8
            }
            while index < buffer.count {
                if buffer[index] >= 0x80 { return false }
                index &+= 1
            }
            return true
        }
        if plain == true { return true }
        return String(validating: bytes, as: UTF8.self) != nil
    }
}
