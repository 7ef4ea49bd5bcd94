import Testing

@testable import Atmosphere
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("SHA-256")
struct SHA256Tests {
    @Test(
        "the digest is what FIPS 180-4 says, at every border of a block",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (String(repeating: "a", count: 55), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
            (String(repeating: "a", count: 56), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
            (String(repeating: "a", count: 63), "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
            (String(repeating: "a", count: 64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
            (String(repeating: "a", count: 65), "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"),
            (String(repeating: "a", count: 1000), "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3")
        ])
    func digests(_ text: String, _ digest: String) {
        var whole = SHA256Digest()
        whole.update(Array(text.utf8))
        #expect(whole.finish() == digest)
        // However the bytes come.
        var pieces = SHA256Digest()
        for byte in text.utf8 { pieces.update([byte]) }
        #expect(pieces.finish() == digest)
        #expect(SHA256Digest.isDigest(digest))
        let bytes = SHA256Digest.bytes(of: text)
        #expect(bytes.count == 32)
        #expect(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() == digest)
    }

    @Test(
        "only such a digest is the name of a content",
        arguments: [
            "", "..", "../../etc/passwd", String(repeating: "A", count: 64), String(repeating: "a", count: 63),
            String(repeating: "a", count: 63) + "/", String(repeating: "é", count: 32)
        ])
    func names(_ text: String) {
        #expect(!SHA256Digest.isDigest(text))
    }
}
