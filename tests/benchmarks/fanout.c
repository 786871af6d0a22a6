/* The reference and the load for bench_fanout.py: one thread, one epoll each.
 *
 *   fanout serve BYTES                    the reference: every frame from a seat becomes a frame of BYTES to each of
 *                                         the seven seats of its table (connections 0-6 are table 0, and so on);
 *                                         prints its port
 *   fanout plain PORT TABLES SECONDS BYTES PID   load for the reference, with action frames of BYTES
 *   fanout cards PORT TABLES SECONDS FILE PID    load for the real server: FILE has a line of hexadecimal digits for
 *                                         each connection, the frames with which it says hello and sits down; then
 *                                         it plays every hand, staying in for as little as it may
 *
 * Both loads have one action a table on its way, and send the next when all seven seats have seen what the last one
 * did. They print: actions per second, p50 and p99 in microseconds from action to last view, mean bytes of a view,
 * and microseconds of processor time that process PID, the server, spent on an action (0 where that cannot be read).
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { SEATS = 7, BUFFER = 1 << 16, ACT = 256 };

typedef struct {
    int fd, table, seat, ready, acts; /* seat: as the server numbers it; ready: an answer waits in act */
    uint32_t have, act_bytes;
    unsigned char act[ACT], in[BUFFER];
} Conn;

typedef struct {
    uint64_t seq, sent; /* the step that is being shown, and when its action was sent */
    int seen, turn;
} Table;

static void die(const char *what) { perror(what); exit(1); }
static uint64_t now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000ull + t.tv_nsec; }
static uint32_t be32(const unsigned char *p) { return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3]; }
static void put32(unsigned char *p, uint32_t v) { p[0] = v >> 24; p[1] = v >> 16; p[2] = v >> 8; p[3] = v; }
static void tune(int fd) { int one = 1; setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one); }

/* ------------------------------------------------------------------ the reference */

static int serve(uint32_t bytes) {
    static unsigned char view[BUFFER];
    put32(view, bytes - 4);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof address;
    if (bind(listener, (void *)&address, length) || listen(listener, 512)) die("listen");
    getsockname(listener, (void *)&address, &length);
    printf("%d\n", ntohs(address.sin_port)); fflush(stdout);
    int poll = epoll_create1(0), count = 0, room = 0;
    struct epoll_event event = { .events = EPOLLIN, .data.u32 = ~0u }, ready[512];
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
    Conn **conns = NULL;
    for (;;) {
        int n = epoll_wait(poll, ready, 512, -1);
        for (int k = 0; k < n; k++) {
            if (ready[k].data.u32 == ~0u) {
                int fd;
                while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
                    if (count == room) conns = realloc(conns, (room = 2 * room + 64) * sizeof *conns);
                    Conn *c = conns[count] = calloc(1, sizeof *c);
                    c->fd = fd; tune(fd);
                    event.data.u32 = count++;
                    epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event);
                }
                continue;
            }
            int id = ready[k].data.u32, first = id / SEATS * SEATS;
            Conn *c = conns[id];
            ssize_t got = recv(c->fd, c->in + c->have, sizeof c->in - c->have, 0);
            if (got <= 0) { if (got < 0 && errno == EAGAIN) continue; return 0; /* the load is over */ }
            c->have += got;
            uint32_t at = 0;
            while (c->have - at >= 4 && c->have - at >= 4 + be32(c->in + at)) {
                at += 4 + be32(c->in + at);
                for (int s = first; s < first + SEATS && s < count; s++) {
                    view[4] = s - first;
                    if (send(conns[s]->fd, view, bytes, MSG_NOSIGNAL) != bytes) return 0;
                }
            }
            memmove(c->in, c->in + at, c->have - at); c->have -= at;
        }
    }
}

/* ------------------------------------------------------------------ as much MessagePack as a card player needs */

typedef const unsigned char *P;

static uint64_t number(P p) {
    switch (*p) {
    case 0xcc: return p[1];
    case 0xcd: return p[1] << 8 | p[2];
    case 0xce: return be32(p + 1);
    case 0xcf: return (uint64_t)be32(p + 1) << 32 | be32(p + 5);
    default: return *p;
    }
}
static P text(P p, uint32_t *n) {
    if ((*p & 0xe0) == 0xa0) { *n = *p & 31; return p + 1; }
    if (*p == 0xd9) { *n = p[1]; return p + 2; }
    if (*p == 0xda) { *n = p[1] << 8 | p[2]; return p + 3; }
    *n = 0; return p;
}
static P items(P p, uint32_t *n) { /* of a map or an array */
    if ((*p & 0xf0) == 0x80 || (*p & 0xf0) == 0x90) { *n = *p & 15; return p + 1; }
    *n = p[1] << 8 | p[2]; return p + 3; /* map 16, array 16 */
}
static P skip(P p) {
    unsigned char c = *p; uint32_t n;
    if (c < 0x80 || c >= 0xe0 || c == 0xc0 || c == 0xc2 || c == 0xc3) return p + 1;
    if ((c & 0xe0) == 0xa0 || c == 0xd9 || c == 0xda) { p = text(p, &n); return p + n; }
    if ((c & 0xf0) == 0x80 || c == 0xde) { p = items(p, &n); for (n *= 2; n; n--) p = skip(p); return p; }
    if ((c & 0xf0) == 0x90 || c == 0xdc) { p = items(p, &n); for (; n; n--) p = skip(p); return p; }
    switch (c) {
    case 0xc4: return p + 2 + p[1];
    case 0xcc: case 0xd0: return p + 2;
    case 0xcd: case 0xd1: return p + 3;
    case 0xce: case 0xd2: case 0xca: return p + 5;
    default: return p + 9;
    }
}
static int is(P p, const char *word) { uint32_t n; P t = text(p, &n); return n == strlen(word) && !memcmp(t, word, n); }
static P member(P map, const char *key) {
    uint32_t n;
    P p = items(map, &n);
    for (; n; n--) { P value = skip(p); if (is(p, key)) return value; p = skip(value); }
    return NULL;
}

static unsigned char *put_text(unsigned char *o, const char *s) { size_t n = strlen(s); *o++ = 0xa0 | n; memcpy(o, s, n); return o + n; }
static unsigned char *put_raw(unsigned char *o, P from, P to) { memcpy(o, from, to - from); return o + (to - from); }
static unsigned char *put_number(unsigned char *o, uint32_t v) { *o++ = 0xce; put32(o, v); return o + 4; }

/* The request's cheapest option, as the frame of an act. */
static void answer(Conn *c, P request, uint64_t seq) {
    static const char *cheap[] = { "check", "call", "bring_in" };
    P options = member(request, "options"), chosen = NULL;
    uint32_t n;
    P first = items(options, &n);
    for (int k = 0; k < 3 && !chosen; k++) {
        P option = first;
        for (uint32_t i = 0; i < n; i++, option = skip(option))
            if (is(member(option, "kind"), cheap[k])) { chosen = option; break; }
    }
    if (!chosen) chosen = first;
    P kind = member(chosen, "kind"), cards = member(chosen, "cards"), directions = member(chosen, "directions");
    P count = member(chosen, "count");
    unsigned char *o = c->act + 4;
    *o++ = 0x84; o = put_text(o, "type"); o = put_text(o, "act");
    o = put_text(o, "id"); o = put_number(o, ++c->acts);
    o = put_text(o, "answers"); o = put_number(o, seq);
    o = put_text(o, "action"); *o++ = 0x81 + (cards != NULL) + (directions != NULL);
    o = put_text(o, "kind"); o = put_raw(o, kind, skip(kind));
    if (cards) {
        o = put_text(o, "cards");
        uint32_t want = number(count), all; P card = items(cards, &all);
        *o++ = 0x90 | want;
        for (; want; want--, card = skip(card)) o = put_raw(o, card, skip(card));
    }
    if (directions) { uint32_t all; P d = items(directions, &all); o = put_text(o, "direction"); o = put_raw(o, d, skip(d)); }
    c->act_bytes = o - c->act; put32(c->act, c->act_bytes - 4);
    c->ready = 1;
}

/* ------------------------------------------------------------------ the load */

static uint64_t actions, views, view_bytes;
static uint32_t *times; static size_t time_count, time_room = 1 << 22;
static int cards_mode;
static int by_size(const void *a, const void *b) { uint32_t x = *(uint32_t *)a, y = *(uint32_t *)b; return (x > y) - (x < y); }

static void act(Conn *c, Table *t) {
    t->sent = now(); c->ready = 0;
    if (send(c->fd, c->act, c->act_bytes, MSG_NOSIGNAL) != c->act_bytes) die("send");
}

static void step_seen(Conn *conns, Table *t, int table) {
    Conn *seats = conns + table * SEATS;
    if (t->sent) {
        actions++;
        if (time_count < time_room) times[time_count++] = now() - t->sent;
        t->sent = 0;
    }
    if (!cards_mode) { t->turn = (t->turn + 1) % SEATS; act(seats + t->turn, t); return; }
    for (int s = 0; s < SEATS; s++)
        if (seats[s].ready) { act(seats + s, t); return; }
}

static int take(Conn *conns, Table *tables, Conn *c, P body, uint32_t n) { /* 1: a snapshot, the seat is ours */
    Table *t = tables + c->table;
    if (!cards_mode) {
        views++; view_bytes += n + 4;
        if (++t->seen == SEATS) { t->seen = 0; step_seen(conns, t, c->table); }
        return 0;
    }
    P type = member(body, "type");
    if (is(type, "joined")) { c->seat = number(member(body, "seat")); return 0; }
    if (is(type, "snapshot")) return 1;
    if (!is(type, "events")) {
        if (is(type, "welcome")) return 0;
        fprintf(stderr, "unexpected: %.*s\n", (int)n, (const char *)body); exit(1);
    }
    views++; view_bytes += n + 4;
    uint64_t seq = number(member(body, "seq"));
    uint32_t count; P event = items(member(body, "events"), &count);
    for (uint32_t i = 0; i < count; i++, event = skip(event))
        if (is(member(event, "event"), "action_requested") && (int)number(member(event, "seat")) == c->seat) answer(c, event, seq + i);
    if (seq > t->seq) { t->seq = seq; t->seen = 0; }
    if (seq == t->seq && ++t->seen == SEATS) step_seen(conns, t, c->table);
    return 0;
}

static int pull(Conn *conns, Table *tables, Conn *c) { /* 1: a snapshot was among it */
    ssize_t got = recv(c->fd, c->in + c->have, sizeof c->in - c->have, 0);
    if (got <= 0) { if (got < 0 && errno == EAGAIN) return 0; fprintf(stderr, "closed by the server\n"); exit(1); }
    c->have += got;
    uint32_t at = 0; int joined = 0;
    while (c->have - at >= 4 && c->have - at >= 4 + be32(c->in + at)) {
        uint32_t n = be32(c->in + at);
        joined |= take(conns, tables, c, c->in + at + 4, n);
        at += 4 + n;
    }
    memmove(c->in, c->in + at, c->have - at); c->have -= at;
    return joined;
}

static double processor(const char *pid) { /* seconds that the process has used */
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%s/stat", pid);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    unsigned long user = 0, kernel = 0;
    if (fgets(line, sizeof line, file)) {
        char *behind = strrchr(line, ')');
        if (behind) sscanf(behind + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &kernel);
    }
    fclose(file);
    return (double)(user + kernel) / sysconf(_SC_CLK_TCK);
}

static int load(int port, int count, double seconds, const char *what, const char *pid) {
    int all = count * SEATS, poll = epoll_create1(0);
    Conn *conns = calloc(all, sizeof *conns); Table *tables = calloc(count, sizeof *tables);
    times = malloc(time_room * sizeof *times);
    FILE *script = cards_mode ? fopen(what, "r") : NULL;
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    static char line[8192];
    for (int i = 0; i < all; i++) {
        Conn *c = conns + i;
        c->table = i / SEATS;
        c->fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(c->fd, (void *)&address, sizeof address)) die("connect");
        tune(c->fd);
        if (cards_mode) {
            if (!script || !fgets(line, sizeof line, script)) die("script");
            unsigned char hello[4096]; size_t n = strcspn(line, "\n") / 2;
            for (size_t k = 0; k < n; k++) { unsigned x; sscanf(line + 2 * k, "%2x", &x); hello[k] = x; }
            if (send(c->fd, hello, n, 0) != (ssize_t)n) die("hello");
            while (!pull(conns, tables, c)) {}
        } else {
            c->act_bytes = atoi(what); put32(c->act, c->act_bytes - 4);
        }
        fcntl(c->fd, F_SETFL, O_NONBLOCK);
        struct epoll_event event = { .events = EPOLLIN, .data.ptr = c };
        epoll_ctl(poll, EPOLL_CTL_ADD, c->fd, &event);
    }
    if (!cards_mode) { usleep(50000); for (int i = 0; i < count; i++) act(conns + i * SEATS, tables + i); }
    uint64_t begin = now() + 300000000ull, end = begin + (uint64_t)(seconds * 1e9), t = now(), started = 0;
    double used = 0;
    struct epoll_event ready[512];
    while (t < end) {
        int n = epoll_wait(poll, ready, 512, 3000);
        if (n == 0) { fprintf(stderr, "stalled\n"); return 1; }
        for (int k = 0; k < n; k++) pull(conns, tables, ready[k].data.ptr);
        t = now();
        if (!started && t >= begin) { started = t; used = processor(pid); actions = views = view_bytes = time_count = 0; }
    }
    used = processor(pid) - used;
    qsort(times, time_count, sizeof *times, by_size);
    printf("%.1f %.1f %.1f %.1f %.2f\n", actions / ((t - started) / 1e9), time_count ? times[time_count / 2] / 1e3 : 0,
           time_count ? times[time_count * 99 / 100] / 1e3 : 0, views ? (double)view_bytes / views : 0, actions ? used / actions * 1e6 : 0);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 3 && !strcmp(argv[1], "serve")) return serve(atoi(argv[2]));
    if (argc != 7) return 2;
    cards_mode = !strcmp(argv[1], "cards");
    return load(atoi(argv[2]), atoi(argv[3]), atof(argv[4]), argv[5], argv[6]);
}
