// Preloaded into a command: counts the calls that change files below a folder, and at one of them ends the process or
// lets this call and all later ones fail. What tests tell it stands in the environment:
//
//   FILEPOINTS_FOLDER  counted are files whose path holds this text
//   FILEPOINTS_AT      the number of the call, from 1
//   FILEPOINTS_DO      "kill" before the call, "tear" (write half of it, then kill), or the number of an error; "power":
//                      kill, and leave the files and names that were flushed (fsync of the file, fsync of its folder)
//                      since the command began, and nothing else; "mix": the same, but of what was not flushed all names
//                      and every second sector have reached the device
//   FILEPOINTS_LOG     gets a line for the call that it was: its name and the file; at an orderly end "calls" and their count
//   FILEPOINTS_REFUSE  the number of an error for each attempt to open such a file for writing
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long count;

// MARK: What the device would have after a loss of power

enum { MOST = 512, SECTOR = 512 };

// A file as of its last flush. It stays open, so that its number is given to no other; a descriptor that is closed would
// drop the locks that SQLite has on the file.
struct flushed { ino_t number; int file; char *bytes; size_t length; };
// A name as of the last flush of its folder; `of` is -1 for a folder.
struct name { char path[PATH_MAX]; int of; };

static struct flushed files[MOST];
static struct name names[MOST];
static int file_count, name_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int is_flushed_only(void) {
    const char *what = getenv("FILEPOINTS_DO");
    return what && (strcmp(what, "power") == 0 || strcmp(what, "mix") == 0);
}

static void give_up(const char *why) {
    fprintf(stderr, "filepoints: %s\n", why);
    syscall(SYS_exit_group, 99);
}

static char *contents(int file, size_t *length) {
    struct stat now;
    if (fstat(file, &now) != 0) give_up("no fstat");
    char *bytes = malloc((size_t)now.st_size + 1);
    ssize_t got = pread(file, bytes, (size_t)now.st_size, 0);
    *length = got < 0 ? 0 : (size_t)got;
    return bytes;
}

static int tracked(ino_t number) {
    for (int index = 0; index < file_count; index++) if (files[index].number == number) return index;
    return -1;
}

// A file that has a name now; what is in it has not been flushed.
static int track(const char *path, ino_t number) {
    int index = tracked(number);
    if (index >= 0) return index;
    if (file_count == MOST) give_up("too many files");
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    files[file_count] = (struct flushed){number, file, NULL, 0};
    return file_count++;
}

static void flush_file(int index) {
    free(files[index].bytes);
    files[index].bytes = contents(files[index].file, &files[index].length);
}

static int is_directly_in(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/' && !strchr(path + length + 1, '/');
}

// The next file or folder of the store in a folder.
static int next_entry(DIR *entries, const char *folder, char path[PATH_MAX], struct stat *now) {
    const char *wanted = getenv("FILEPOINTS_FOLDER");
    struct dirent *entry;
    while (entries && (entry = readdir(entries))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (snprintf(path, PATH_MAX, "%s/%s", folder, entry->d_name) >= PATH_MAX) continue;
        if (strncmp(path, wanted, strlen(wanted)) == 0 && lstat(path, now) == 0) return 1;
    }
    return 0;
}

static void flush_folder(const char *folder, int with_files) {
    for (int index = 0; index < name_count;) {
        if (is_directly_in(names[index].path, folder)) names[index] = names[--name_count];
        else index++;
    }
    DIR *entries = opendir(folder);
    char path[PATH_MAX];
    struct stat now;
    while (next_entry(entries, folder, path, &now)) {
        if (name_count == MOST) give_up("too many names");
        struct name *name = &names[name_count++];
        strcpy(name->path, path);
        name->of = S_ISDIR(now.st_mode) ? -1 : track(path, now.st_ino);
        if (with_files && name->of >= 0) flush_file(name->of);
        if (with_files && name->of < 0) flush_folder(path, 1);
    }
    if (entries) closedir(entries);
}

// All that was there before the command counts as flushed.
__attribute__((constructor)) static void begin(void) {
    const char *wanted = getenv("FILEPOINTS_FOLDER");
    if (!wanted || !is_flushed_only()) return;
    char parent[PATH_MAX];
    snprintf(parent, sizeof parent, "%s", wanted);
    char *slash = strrchr(parent, '/');
    if (slash) *slash = 0;
    flush_folder(parent, 1);
}

static void flushed(int file) {
    const char *wanted = getenv("FILEPOINTS_FOLDER");
    char link[64], path[PATH_MAX];
    struct stat now;
    if (!wanted || !is_flushed_only() || fstat(file, &now) != 0) return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return;
    path[length] = 0;
    pthread_mutex_lock(&lock);
    if (S_ISDIR(now.st_mode)) flush_folder(path, 0);
    else if (strncmp(path, wanted, strlen(wanted)) == 0) flush_file(track(path, now.st_ino));
    pthread_mutex_unlock(&lock);
}

static void put(const char *path, const char *bytes, size_t length) {
    syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) give_up("cannot put a file back");
    for (size_t done = 0; done < length;) {
        long wrote = syscall(SYS_write, file, bytes + done, length - done);
        if (wrote <= 0) give_up("cannot put a file back");
        done += (size_t)wrote;
    }
}

// What is there now, with every second sector as of the last flush.
static void mix(const char *path) {
    struct stat now;
    if (lstat(path, &now) != 0 || !S_ISREG(now.st_mode)) return;
    int index = track(path, now.st_ino);
    size_t length;
    char *bytes = contents(files[index].file, &length);
    for (size_t place = 0; place < length; place++) {
        if (place / SECTOR % 2) continue;
        bytes[place] = place < files[index].length ? files[index].bytes[place] : 0;
    }
    put(path, bytes, length);
}

static void leave_folder(const char *folder, int is_mixed) {
    DIR *entries = opendir(folder);
    char path[PATH_MAX];
    struct stat now;
    while (next_entry(entries, folder, path, &now)) {
        if (S_ISDIR(now.st_mode)) leave_folder(path, is_mixed);
        int is_known = is_mixed;
        for (int index = 0; index < name_count; index++) is_known |= strcmp(names[index].path, path) == 0;
        if (is_mixed) mix(path);
        else if (!is_known) syscall(SYS_unlinkat, AT_FDCWD, path, S_ISDIR(now.st_mode) ? AT_REMOVEDIR : 0);
    }
    if (entries) closedir(entries);
}

static void leave_what_was_flushed(void) {
    pthread_mutex_lock(&lock);
    int is_mixed = strcmp(getenv("FILEPOINTS_DO"), "mix") == 0;
    char parent[PATH_MAX];
    snprintf(parent, sizeof parent, "%s", getenv("FILEPOINTS_FOLDER"));
    char *slash = strrchr(parent, '/');
    if (slash) *slash = 0;
    leave_folder(parent, is_mixed);
    if (is_mixed) return;
    for (int index = 0; index < name_count; index++) {
        if (names[index].of < 0) continue;
        struct flushed *file = &files[names[index].of];
        put(names[index].path, file->bytes, file->length);
    }
}

static atomic_int is_dying;

static void die(void) {
    if (atomic_exchange(&is_dying, 1)) for (;;) pause();
    if (is_flushed_only()) leave_what_was_flushed();
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static void tell(const char *call, const char *path) {
    const char *log = getenv("FILEPOINTS_LOG");
    char line[PATH_MAX + 64];
    ssize_t (*next)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    int file = log ? open(log, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
    if (file < 0) return;
    const char *slash = strrchr(path, '/');
    int length = snprintf(line, sizeof line, "%s %s\n", call, slash ? slash + 1 : path);
    if (length > 0 && next(file, line, (size_t)length) < 0) perror("filepoints");
    close(file);
}

__attribute__((destructor)) static void tell_count(void) {
    char number[32];
    snprintf(number, sizeof number, "%ld", atomic_load(&count));
    if (getenv("FILEPOINTS_FOLDER")) tell("calls", number);
}

// 0: go on; an error number: fail with it; -1: write half, then die.
static int reach(const char *call, const char *path, int may_tear) {
    const char *folder = getenv("FILEPOINTS_FOLDER"), *at = getenv("FILEPOINTS_AT"), *what = getenv("FILEPOINTS_DO");
    if (!folder || !at || !what || !strstr(path, folder)) return 0;
    if (atomic_load(&is_dying)) for (;;) pause();
    long now = atomic_fetch_add(&count, 1) + 1, point = atol(at);
    int error = atoi(what);
    if (now < point || (now > point && !error)) return 0;
    if (now == point) tell(call, path);
    if (error) return error;
    if (may_tear && strcmp(what, "tear") == 0) return -1;
    die();
    return 0;
}

static int reach_open(const char *call, int file, int may_tear) {
    char link[64], path[PATH_MAX];
    int saved = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    errno = saved;
    if (length < 0) return 0;
    path[length] = 0;
    return reach(call, path, may_tear);
}

#define NEXT(name) __typeof__(&name) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

ssize_t write(int file, const void *bytes, size_t length) {
    NEXT(write);
    int result = reach_open("write", file, 1);
    if (result > 0) { errno = result; return -1; }
    if (result < 0) { next(file, bytes, length / 2); die(); }
    return next(file, bytes, length);
}

// What a server answers goes out through it, too: "socket:[" as FILEPOINTS_FOLDER counts what is written to sockets.
ssize_t writev(int file, const struct iovec *parts, int part_count) {
    NEXT(writev);
    int result = reach_open("write", file, 1);
    if (result > 0) { errno = result; return -1; }
    if (result < 0) { next(file, parts, part_count / 2); die(); }
    return next(file, parts, part_count);
}

#define POSITIONED(name, offset_type)                                                  \
    ssize_t name(int file, const void *bytes, size_t length, offset_type offset) {      \
        NEXT(name);                                                                      \
        int result = reach_open("write", file, 1);                                        \
        if (result > 0) { errno = result; return -1; }                                     \
        if (result < 0) { next(file, bytes, length / 2, offset); die(); }                   \
        return next(file, bytes, length, offset);                                            \
    }
POSITIONED(pwrite, off_t)
POSITIONED(pwrite64, off64_t)

#define ON_FILE(name, parameters, arguments)                            \
    int name parameters {                                                \
        NEXT(name);                                                       \
        int result = reach_open(#name, file, 0);                           \
        if (result > 0) { errno = result; return -1; }                      \
        return next arguments;                                               \
    }
#define FLUSH(name)                                     \
    int name(int file) {                                 \
        NEXT(name);                                       \
        int result = reach_open(#name, file, 0);           \
        if (result > 0) { errno = result; return -1; }      \
        result = next(file);                                 \
        if (result == 0) flushed(file);                       \
        return result;                                         \
    }
FLUSH(fsync)
FLUSH(fdatasync)
ON_FILE(ftruncate, (int file, off_t length), (file, length))
ON_FILE(ftruncate64, (int file, off64_t length), (file, length))

#define ON_PATH(name, parameters, arguments)                            \
    int name parameters {                                                \
        NEXT(name);                                                       \
        int result = reach(#name, path, 0);                                \
        if (result > 0) { errno = result; return -1; }                      \
        return next arguments;                                               \
    }
ON_PATH(rename, (const char *path, const char *to), (path, to))
ON_PATH(link, (const char *path, const char *to), (path, to))
ON_PATH(unlink, (const char *path), (path))
ON_PATH(mkdir, (const char *path, mode_t mode), (path, mode))

static int refuses(const char *path, int flags) {
    const char *folder = getenv("FILEPOINTS_FOLDER"), *refuse = getenv("FILEPOINTS_REFUSE");
    return folder && refuse && (flags & O_ACCMODE) != O_RDONLY && strstr(path, folder) ? atoi(refuse) : 0;
}

#define OPEN(name)                                      \
    int name(const char *path, int flags, ...) {         \
        NEXT(name);                                       \
        va_list rest;                                      \
        va_start(rest, flags);                              \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                         \
        int refused = refuses(path, flags);                    \
        if (refused) { errno = refused; return -1; }            \
        return next(path, flags, mode);                          \
    }
OPEN(open)
OPEN(open64)
