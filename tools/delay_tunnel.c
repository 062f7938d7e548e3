/* tools/delay_tunnel.c - joins two network namespaces by a cable of a given length: it carries
   packets between a tun device in each of them, and delivers every packet a given time later (not
   every kernel has tc netem). It needs Linux and root.
       delay_tunnel namespace address namespace address milliseconds      e.g. a 10.99.7.1 b ...
   It prints "ready" and runs until it is killed. tools/mpi_namespaces.sh uses it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { PACKET = 1600, QUEUE = 16384 };

typedef struct packet {
    double due;
    int bytes;
    char data[PACKET];
} packet;

typedef struct side {
    int file;
    packet *queue; /* what will be written to `file`, by time */
    long first, end;
} side;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int open_tun(const char *space, const char *address) {
    char text[300];
    struct ifreq request;
    int home = open("/proc/self/ns/net", O_RDONLY), there, file;
    snprintf(text, sizeof text, "/run/netns/%s", space);
    there = open(text, O_RDONLY);
    if (home < 0 || there < 0 || setns(there, CLONE_NEWNET) != 0) return -1;
    file = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
    memset(&request, 0, sizeof request);
    request.ifr_flags = IFF_TUN | IFF_NO_PI;
    strcpy(request.ifr_name, "cable");
    if (file < 0 || ioctl(file, TUNSETIFF, &request) != 0) return -1;
    snprintf(text, sizeof text,
             "ip address add %s/24 dev cable && ip link set cable mtu 1500 txqueuelen 10000 up && "
             "ip link set lo up",
             address);
    if (system(text) != 0 || setns(home, CLONE_NEWNET) != 0) return -1;
    close(home);
    close(there);
    return file;
}

int main(int argc, char **argv) {
    side sides[2];
    const double delay = argc == 6 ? atof(argv[5]) * 1e-3 : 0.0;
    if (argc != 6) return fprintf(stderr, "see the head of tools/delay_tunnel.c\n"), 1;
    for (int i = 0; i < 2; i++) {
        sides[i].file = open_tun(argv[1 + 2 * i], argv[2 + 2 * i]);
        sides[i].queue = (packet *)malloc(sizeof(packet) * QUEUE);
        sides[i].first = sides[i].end = 0;
        if (sides[i].file < 0 || !sides[i].queue) return perror("delay_tunnel"), 1;
    }
    puts("ready");
    fflush(stdout);
    for (;;) {
        double wait = 1.0;
        struct pollfd files[2];
        struct timespec time;
        for (int i = 0; i < 2; i++) {
            side *s = &sides[i], *other = &sides[!i];
            while (s->first < s->end && s->queue[s->first % QUEUE].due <= now()) {
                const packet *p = &s->queue[s->first++ % QUEUE];
                if (write(s->file, p->data, (size_t)p->bytes) < 0) continue; /* TCP sends again */
            }
            while (other->end - other->first < QUEUE) {
                packet *p = &other->queue[other->end % QUEUE];
                p->bytes = (int)read(s->file, p->data, PACKET);
                if (p->bytes <= 0) break;
                p->due = now() + delay;
                other->end++;
            }
        }
        for (int i = 0; i < 2; i++) {
            const side *s = &sides[i];
            const double left = s->first < s->end ? s->queue[s->first % QUEUE].due - now() : 1.0;
            if (left < wait) wait = left > 0.0 ? left : 0.0;
            files[i].fd = s->file;
            files[i].events = POLLIN;
        }
        time.tv_sec = (time_t)wait;
        time.tv_nsec = (long)((wait - (double)time.tv_sec) * 1e9);
        ppoll(files, 2, &time, NULL);
    }
}
