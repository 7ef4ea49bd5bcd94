/* What the system alone takes: a server that knows no protocol but as much as load.c needs of the plain kind, and calls
 * send() once for each delivery. Whoever does more for a delivery cannot be quicker.
 *
 *   floor PORT
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CAPACITY = 70000, CLIENTS = 100000 };
typedef struct { int fd, length; char *buffer; } Peer;

static int clients[CLIENTS], count, byUser[CLIENTS];

/* GET /sub/all,uN: a client. */
static void join(Peer *peer) {
    static const char answer[] = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n";
    const char *user = strstr(peer->buffer, ",u");
    if (count == CLIENTS) return;
    if (user && atoi(user + 2) < CLIENTS) byUser[atoi(user + 2)] = peer->fd;
    clients[count++] = peer->fd;
    send(peer->fd, answer, sizeof answer - 1, MSG_NOSIGNAL);
    free(peer->buffer), peer->buffer = NULL, peer->length = 0;
}

/* POST /pub/all, or /pub/uN,uN: a publisher, whose body goes out in a frame. */
static void publish(Peer *peer, const char *body, int length) {
    static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    static char frame[CAPACITY];
    int head = length < 126 ? 2 : 4;
    frame[0] = (char)0x81, frame[1] = length < 126 ? length : 126;
    if (head == 4) frame[2] = length >> 8, frame[3] = length;
    memcpy(frame + head, body, length);
    send(peer->fd, answer, sizeof answer - 1, MSG_NOSIGNAL);
    const char *to = strstr(peer->buffer, "/pub/") + 5;
    if (*to == 'a')
        for (int i = 0; i < count; i++) send(clients[i], frame, head + length, MSG_NOSIGNAL);
    for (; *to == 'u'; to += strspn(to, ",")) {
        int user = strtol(to + 1, (char **)&to, 10);
        if (user < CLIENTS && byUser[user]) send(byUser[user], frame, head + length, MSG_NOSIGNAL);
    }
    peer->length = 0;
}

static void leave(Peer *peer) {
    for (int i = 0; i < count; i++) if (clients[i] == peer->fd) clients[i] = clients[--count];
    for (int i = 0; i < CLIENTS; i++) if (byUser[i] == peer->fd) byUser[i] = 0;
    close(peer->fd), free(peer->buffer), free(peer);
}

static void readable(Peer *peer) {
    if (!peer->buffer) peer->buffer = malloc(CAPACITY);
    ssize_t got = recv(peer->fd, peer->buffer + peer->length, CAPACITY - 1 - peer->length, 0);
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) { leave(peer); return; }
    peer->length += got, peer->buffer[peer->length] = 0;
    char *body = strstr(peer->buffer, "\r\n\r\n"), *field = strcasestr(peer->buffer, "content-length:");
    if (!body) return;
    body += 4;
    if (peer->buffer[0] == 'G') join(peer);
    else if (field && body + atoi(field + 15) <= peer->buffer + peer->length) publish(peer, body, atoi(field + 15));
}

int main(int words, char **word) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), one = 1, queue = epoll_create1(0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    address.sin_port = htons(words > 1 ? atoi(word[1]) : 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (void *)&address, sizeof address) || listen(listener, 1024)) { perror("listen"); return 1; }
    struct epoll_event events[256], event = {.events = EPOLLIN};
    epoll_ctl(queue, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        int ready = epoll_wait(queue, events, 256, -1);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.ptr) { readable(events[i].data.ptr); continue; }
            for (int fd; (fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0;) {
                setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
                Peer *peer = calloc(1, sizeof *peer);
                peer->fd = fd, event.data.ptr = peer;
                epoll_ctl(queue, EPOLL_CTL_ADD, fd, &event);
            }
        }
    }
}
