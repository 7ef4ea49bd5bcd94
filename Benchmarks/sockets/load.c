/* Many WebSocket clients and one publisher, against a server on this machine.
 *
 *   load PORT KIND CLIENTS STALLED      KIND: socketio, or plain for nchan
 *
 * Connects, prints a line of JSON, then carries out one command a line from standard input and prints a line of JSON
 * for each:
 *
 *   publish NAME COUNT RATE USERS       COUNT requests, RATE a second (0: as fast as they are answered), to USERS users
 *                                       each, or to everyone for 0 or, with a long message, -1
 *   quit
 *
 * The request is read from the files request-all, request-long and request-users in the working directory; @T becomes the time and @U
 * the users, u0 and so on, with commas (@Q: in quotes). Latency is from just before the request is written to when a
 * client has read the message, on the one clock of the machine.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CAPACITY = 4096, SAMPLES = 1 << 24 };
typedef struct { int fd, state, length, isStalled; char *buffer; } Client;

static int port, isSocketIO, total, stalled, epoll;
static Client *clients;
static _Atomic long received, joined, closed;
static uint32_t *samples; /* tenths of a microsecond */
static _Atomic long sampled;
static char allRequest[65536], longRequest[65536], usersRequest[65536];

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void die(const char *what) { perror(what); exit(1); }

static int dial(int isBlocking, int isSmall) {
    int fd = socket(AF_INET, SOCK_STREAM | (isBlocking ? 0 : SOCK_NONBLOCK), 0), one = 1, small = 4096;
    if (fd < 0) die("socket");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (isSmall) setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    /* Spread over addresses of the loopback network: one has too few ports for many runs. */
    static int turn;
    address.sin_addr.s_addr = htonl(0x7F000001);
    struct sockaddr_in from = {.sin_family = AF_INET};
    from.sin_addr.s_addr = htonl(0x7F000002 + (turn++ / 200));
    if (!isBlocking) bind(fd, (struct sockaddr *)&from, sizeof from);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) < 0 && errno != EINPROGRESS) die("connect");
    return fd;
}

static void put(int fd, const char *data, int length) {
    while (length > 0) {
        ssize_t done = send(fd, data, length, MSG_NOSIGNAL);
        if (done < 0 && (errno == EAGAIN || errno == EINTR)) { usleep(100); continue; }
        if (done <= 0) return;
        data += done, length -= done;
    }
}

/* A masked text frame; the mask is zero, which the protocol allows in form and costs nobody anything. */
static void sendText(int fd, const char *text) {
    char frame[1024];
    int length = strlen(text);
    frame[0] = (char)0x81;
    if (length < 126) { frame[1] = (char)(0x80 | length); memset(frame + 2, 0, 4); memcpy(frame + 6, text, length); put(fd, frame, length + 6); }
    else { frame[1] = (char)(0x80 | 126); frame[2] = length >> 8; frame[3] = length; memset(frame + 4, 0, 4); memcpy(frame + 8, text, length); put(fd, frame, length + 8); }
}

static void took(const char *text, int length) {
    const char *mark = memmem(text, length, "T<", 2);
    if (!mark) return;
    int64_t sent = strtoll(mark + 2, NULL, 10), spent = (now() - sent) / 100;
    long index = atomic_fetch_add(&sampled, 1);
    if (index < SAMPLES) samples[index] = spent < 0 ? 0 : spent > UINT32_MAX ? UINT32_MAX : (uint32_t)spent;
    atomic_fetch_add(&received, 1);
}

static void isIn(Client *client) {
    client->state = 3;
    atomic_fetch_add(&joined, 1);
    if (client->isStalled) epoll_ctl(epoll, EPOLL_CTL_DEL, client->fd, NULL);
}

static void message(Client *client, char *text, int length) {
    if (isSocketIO && length && text[0] == '0' && client->state == 2) {
        char answer[256];
        int index = client - clients;
        snprintf(answer, sizeof answer, "40{\"token\":\"key-of-user-%08d\",\"rooms\":[\"all\"]}", index);
        sendText(client->fd, answer);
    } else if (isSocketIO && length == 1 && text[0] == '2') sendText(client->fd, "3");
    else if (isSocketIO && length > 1 && text[0] == '4' && text[1] == '0' && client->state == 2) isIn(client);
    else took(text, length);
}

static void readable(Client *client) {
    ssize_t got = recv(client->fd, client->buffer + client->length, CAPACITY - client->length, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
        epoll_ctl(epoll, EPOLL_CTL_DEL, client->fd, NULL);
        close(client->fd);
        atomic_fetch_add(&closed, 1);
        return;
    }
    client->length += got;
    char *at = client->buffer, *end = at + client->length;
    if (client->state == 1) {
        char *body = memmem(at, end - at, "\r\n\r\n", 4);
        if (!body) return;
        if (memcmp(at, "HTTP/1.1 101", 12)) { fprintf(stderr, "%.200s\n", at); exit(1); }
        at = body + 4;
        client->state = 2;
        if (!isSocketIO) isIn(client);
    }
    while (end - at >= 2) {
        unsigned char *head = (unsigned char *)at;
        int size = head[1] & 127, skip = 2;
        if (size == 126) { if (end - at < 4) break; size = head[2] << 8 | head[3]; skip = 4; }
        if (size > CAPACITY - 16) { fprintf(stderr, "a frame that is too long\n"); exit(1); }
        if (end - at < skip + size) break;
        if ((head[0] & 15) <= 2) message(client, at + skip, size);
        at += skip + size;
    }
    client->length = end - at;
    memmove(client->buffer, at, client->length);
}

static void *poller(void *unused) {
    (void)unused;
    struct epoll_event events[512];
    for (;;) {
        int count = epoll_wait(epoll, events, 512, 1000);
        for (int i = 0; i < count; i++) {
            Client *client = events[i].data.ptr;
            if (client->state == 0) {
                char request[512];
                int index = client - clients;
                int length = isSocketIO
                    ? snprintf(request, sizeof request, "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\n")
                    : snprintf(request, sizeof request, "GET /sub/all,u%d HTTP/1.1\r\n", index);
                length += snprintf(request + length, sizeof request - length,
                    "Host: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
                put(client->fd, request, length);
                client->state = 1;
                struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
                epoll_ctl(epoll, EPOLL_CTL_MOD, client->fd, &event);
            } else readable(client);
        }
    }
    return NULL;
}

static int publisher = -1;

static int fill(char *out, int size, const char *form, int users) {
    static unsigned turn;
    char *at = out, *end = out + size - 64;
    for (; *form && at < end; form++) {
        if (form[0] != '@') { *at++ = *form; continue; }
        form++;
        if (*form == 'T') at += sprintf(at, "T<%lld", (long long)now());
        else if (*form == 'U' || *form == 'Q')
            for (int i = 0; i < users; i++) {
                /* Spread over all; the same each time. */
                unsigned user = (turn++ * 2654435761u) % (unsigned)total;
                at += sprintf(at, *form == 'Q' ? "%s\"u%u\"" : "%su%u", i ? "," : "", user);
            }
    }
    *at = 0;
    return at - out;
}

/* Writes a request, and reads the head and body of its answer. */
static void request(const char *form, int users) {
    char body[65536], whole[70000], answer[8192];
    const char *split = strstr(form, "\n\n");
    int headLength = split - form, length = fill(body, sizeof body, split + 2, users);
    char headForm[4096], head[8192];
    memcpy(headForm, form, headLength), headForm[headLength] = 0;
    fill(head, sizeof head, headForm, users);
    int at = 0;
    for (char *line = strtok(head, "\n"); line; line = strtok(NULL, "\n")) at += sprintf(whole + at, "%s\r\n", line);
    at += sprintf(whole + at, "Host: 127.0.0.1\r\nContent-Length: %d\r\n\r\n", length);
    memcpy(whole + at, body, length);
    put(publisher, whole, at + length);
    int got = 0, need = -1;
    while (need < 0 || got < need) {
        ssize_t part = recv(publisher, answer + got, sizeof answer - 1 - got, 0);
        if (part <= 0) die("publisher");
        got += part, answer[got] = 0;
        char *end = strstr(answer, "\r\n\r\n");
        if (!end || need >= 0) continue;
        char *field = strcasestr(answer, "content-length:");
        need = end + 4 - answer + (field && field < end ? atoi(field + 15) : 0);
        if (answer[9] != '2') { fprintf(stderr, "%s\n", answer); exit(1); }
    }
}

static int byValue(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void publish(const char *name, long count, double rate, int users) {
    atomic_store(&sampled, 0);
    atomic_store(&received, 0);
    long expected = count * (users > 0 ? users : total - stalled);
    int64_t start = now();
    for (long i = 0; i < count; i++) {
        if (rate > 0) {
            int64_t due = start + (int64_t)(i * 1e9 / rate), left = due - now();
            if (left > 0) { struct timespec t = {left / 1000000000, left % 1000000000}; nanosleep(&t, NULL); }
        }
        request(users > 0 ? usersRequest : users ? longRequest : allRequest, users);
    }
    int64_t quiet = now();
    long last = -1;
    while (atomic_load(&received) < expected) {
        long seen = atomic_load(&received);
        if (seen != last) last = seen, quiet = now();
        if (now() - quiet > 3000000000LL) break;
        usleep(200);
    }
    double seconds = (now() - start) / 1e9;
    long got = atomic_load(&received), n = atomic_load(&sampled) < SAMPLES ? atomic_load(&sampled) : SAMPLES;
    qsort(samples, n, sizeof *samples, byValue);
    printf("{\"name\":\"%s\",\"published\":%ld,\"expected\":%ld,\"delivered\":%ld,\"seconds\":%.4f,"
           "\"p50\":%.4f,\"p99\":%.4f,\"closed\":%ld}\n",
           name, count, expected, got, seconds, n ? samples[n / 2] / 1e4 : 0, n ? samples[n * 99 / 100] / 1e4 : 0,
           (long)closed);
    fflush(stdout);
}

static void load(const char *name, char *into) {
    FILE *file = fopen(name, "r");
    if (!file) die(name);
    into[fread(into, 1, 65535, file)] = 0;
    fclose(file);
}

int main(int count, char **words) {
    if (count < 5) { fprintf(stderr, "usage: load PORT socketio|plain CLIENTS STALLED\n"); return 64; }
    port = atoi(words[1]), isSocketIO = !strcmp(words[2], "socketio"), total = atoi(words[3]), stalled = atoi(words[4]);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit), limit.rlim_cur = limit.rlim_max, setrlimit(RLIMIT_NOFILE, &limit);
    load("request-all", allRequest), load("request-long", longRequest), load("request-users", usersRequest);
    clients = calloc(total, sizeof *clients), samples = malloc(sizeof *samples * SAMPLES);
    epoll = epoll_create1(0);
    pthread_t thread;
    pthread_create(&thread, NULL, poller, NULL);
    int64_t start = now();
    for (int i = 0; i < total; i++) {
        Client *client = clients + i;
        client->isStalled = i >= total - stalled;
        client->buffer = malloc(CAPACITY);
        client->fd = dial(0, client->isStalled);
        struct epoll_event event = {.events = EPOLLOUT, .data.ptr = client};
        epoll_ctl(epoll, EPOLL_CTL_ADD, client->fd, &event);
        while (i - atomic_load(&joined) > 100) usleep(100); /* a hundred at a time */
    }
    while (atomic_load(&joined) < total) {
        usleep(500);
        if (now() - start > 300000000000LL) { fprintf(stderr, "only %ld joined\n", (long)joined); return 1; }
    }
    printf("{\"name\":\"connect\",\"clients\":%d,\"seconds\":%.4f}\n", total, (now() - start) / 1e9);
    fflush(stdout);
    usleep(300000);
    publisher = dial(1, 0);
    char line[256], name[64];
    long number;
    double rate;
    int users;
    while (fgets(line, sizeof line, stdin) && sscanf(line, "publish %63s %ld %lf %d", name, &number, &rate, &users) == 4)
        publish(name, number, rate, users);
    return 0;
}
