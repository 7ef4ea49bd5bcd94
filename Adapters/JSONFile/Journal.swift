internal import AtmosphereStore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The commits since the other files were written, a line to each; only ever appended to, or begun anew.
///
/// All calls hold the folder's lock.
final class Journal {
    let path: String
    private let descriptor: Int32
    let inode: UInt64
    /// The end of the last whole commit.
    private(set) var size: Int
    /// After a flush that failed nobody knows what the device has.
    private var failure: StoreError?

    /// Opens the journal that is there.
    ///
    /// - Parameter size: the end of its last whole commit; what stands behind is cut off.
    init(_ path: String, size: Int) throws(StoreError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw StoreFile.failure("open", path) }
        self.size = size
        let extent: FileAccess.Extent
        do throws(StoreError) {
            extent = try FileAccess.extent(of: descriptor, path)
        } catch {
            _ = close(descriptor)
            throw error
        }
        // All members are set from here on, so what is thrown ends in `deinit`, which closes.
        inode = extent.inode
        if extent.size > size { try cut() }
    }

    deinit { _ = close(descriptor) }

    /// The text of a journal without commits.
    static func text(after commit: Int64) -> [UInt8] {
        var header = StoredFieldsWriter()
        header.set("atmosphere-journal", StoreFolder.version)
        header.set("after", commit)
        var text: [UInt8] = []
        CheckedLine.append(header.value, to: &text)
        return text
    }

    /// What others have appended.
    func readOn() throws(StoreError) -> [UInt8] { try FileAccess.read(descriptor, from: size, path) }

    /// Takes what was read for known.
    func advance(by count: Int) { size += count }

    /// Keeps the line, or nothing of it.
    func append(_ line: [UInt8], _ durability: Durability) throws(StoreError) {
        if let failure { throw failure }
        guard lseek(descriptor, off_t(size), SEEK_SET) >= 0 else { throw StoreFile.failure("write", path) }
        do throws(StoreError) {
            try FileAccess.write(line, to: descriptor, path)
        } catch {
            undo()
            throw error
        }
        if durability == .power {
            do throws(StoreError) {
                try flush()
            } catch {
                undo()
                throw error
            }
        }
        size += line.count
    }

    /// Waits until the device has all commits.
    func flush() throws(StoreError) {
        if let failure { throw failure }
        guard !StoreFile.flush(descriptor) else { return }
        let error = StoreFile.failure("flush", path)
        failure = StoreError(
            code: .inputOutput,
            message: "\(path) could not be flushed to the device before; check the device and open the store again")
        throw error
    }

    /// Removes what follows the last whole commit.
    func cut() throws(StoreError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw StoreFile.failure("shorten", path) }
    }

    private func undo() {
        do throws(StoreError) {
            try cut()
        } catch {
            failure = error
        }
    }
}
