// Preloaded into a command: counts the calls that change files below a folder, and at one of them ends the process or
// lets this call and all later ones fail. What tests tell it stands in the environment:
//
//   FILEPOINTS_FOLDER  counted are files whose path holds this text
//   FILEPOINTS_AT      the number of the call, from 1
//   FILEPOINTS_DO      "kill" before the call, "tear" (write half of it, then kill), or the number of an error
//   FILEPOINTS_LOG     gets a line for the call that it was: its name and the file; at an orderly end "calls" and their count
//   FILEPOINTS_REFUSE  the number of an error for each attempt to open such a file for writing
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long count;

static void die(void) {
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
ON_FILE(fsync, (int file), (file))
ON_FILE(fdatasync, (int file), (file))
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
