/* The bare loop that a referee is measured against: write a block, poll, read a line; no rules, no record.
 *
 *   loop SCRIPT ROUNDS CORE BOT BOT
 *
 * SCRIPT holds the blocks of matches as a referee sends them: lines `SEAT KIND LENGTH` (KIND m: a move, o: anything
 * else that is answered, t: told, no answer), each followed by LENGTH bytes. It is played ROUNDS times. Prints the
 * nanoseconds a move twice: everything divided by the moves, and the exchanges of moves alone.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct bot { int in, out; };
struct step { int seat; char kind; size_t length; char *bytes; };

static long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void fail(const char *what) { perror(what); exit(1); }

static struct bot start(char *words) {
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) fail("pipe");
    if (fork() == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        execl("/bin/sh", "sh", "-c", words, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    return (struct bot){in[1], out[0]};
}

static void answer(struct bot *bot) {
    static char buffer[1 << 16];
    struct pollfd wait = {bot->out, POLLIN, 0};
    ssize_t got;
    do {
        if (poll(&wait, 1, 10000) != 1) { fprintf(stderr, "no answer\n"); exit(1); }
        got = read(bot->out, buffer, sizeof buffer);
        if (got <= 0) { fprintf(stderr, "the bot has ended\n"); exit(1); }
    } while (buffer[got - 1] != '\n');
}

int main(int argc, char **argv) {
    if (argc != 6) return 2;
    cpu_set_t core;
    CPU_ZERO(&core);
    CPU_SET(atoi(argv[3]), &core);
    sched_setaffinity(0, sizeof core, &core);
    FILE *file = fopen(argv[1], "rb");
    if (!file) fail(argv[1]);
    struct step *steps = NULL;
    size_t count = 0, moves = 0;
    int seat;
    char kind;
    size_t length;
    while (fscanf(file, "%d %c %zu", &seat, &kind, &length) == 3) {
        fgetc(file);
        steps = realloc(steps, (count + 1) * sizeof *steps);
        steps[count] = (struct step){seat, kind, length, malloc(length)};
        if (fread(steps[count].bytes, 1, length, file) != length) return 1;
        moves += kind == 'm';
        count++;
    }
    struct bot bots[2] = {start(argv[4]), start(argv[5])};
    for (int i = 0; i < 2; i++)
        if (write(bots[i].in, "arena 1\n", 8) != 8) fail("write");
    int rounds = atoi(argv[2]);
    long long begin = 0, in_moves = 0;
    for (int round = -1; round < rounds; round++) { /* one round to warm up */
        if (round == 0) begin = now();
        for (size_t i = 0; i < count; i++) {
            struct step *step = &steps[i];
            struct bot *bot = &bots[step->seat - 1];
            long long since = step->kind == 'm' && round >= 0 ? now() : 0;
            if (write(bot->in, step->bytes, step->length) != (ssize_t)step->length) fail("write");
            if (step->kind != 't') answer(bot);
            if (since) in_moves += now() - since;
        }
    }
    double all = (double)(now() - begin) / rounds / moves;
    printf("%.1f %.1f\n", all, (double)in_moves / rounds / moves);
    return 0;
}
