extension UInt64 {
    /// Has the high bit of the lowest byte that is zero as its own lowest bit; bits above that mean nothing. 0 where no
    /// byte is zero.
    @inline(__always)
    var lowestZeroByte: UInt64 { (self &- 0x0101_0101_0101_0101) & ~self & 0x8080_8080_8080_8080 }
}
