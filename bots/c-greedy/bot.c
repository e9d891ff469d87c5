/* c-greedy: plays the largest legal number.

   It picks from the `legal` line. Where that is left out (more than 1,000 moves) it plays a move that is
   always legal in such a position: see without_a_list. Needs POSIX (getline). */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *state = NULL; /* the last `state` line */
static char game[64] = "";

/* The text after KEY= in the state line, or "" if there is none. */
static const char *value(const char *key)
{
    size_t length = strlen(key);
    for (const char *at = state; at && *at; at++)
        if ((at == state || at[-1] == ' ') && strncmp(at, key, length) == 0 && at[length] == '=')
            return at + length + 1;
    return "";
}

/* A legal move from the position alone: 1 is a square, 2 a prime, a number divides itself (and one above N that
   has so many divisors is even). */
static long long without_a_list(void)
{
    if (strcmp(game, "squares") == 0)
        return 1;
    if (strcmp(game, "primes") == 0)
        return 2;
    if (strcmp(game, "linked") == 0) {
        long long n = atoll(value("n")), previous = atoll(value("previous")); /* 0 for `-` */
        return previous == 0 ? n - 1 : previous <= n ? previous : 2;
    }
    if (strcmp(game, "sum-to-zero") == 0)
        return atoll(value("pool"));
    long long most = atoll(value("opponent")), best = 0; /* grid: the largest number that still fits */
    for (const char *at = value("grid"); *at && *at != ' ';) {
        if (*at != 'x' && atoll(at) <= most && atoll(at) > best)
            best = atoll(at);
        at += strcspn(at, ", ");
        at += *at == ',';
    }
    return best;
}

/* The largest number of the list; `words` is what follows `legal`. */
static long long largest(char *words)
{
    long long best = 0;
    int any = 0;
    for (char *word = strtok(words, " \r\n"); word; word = strtok(NULL, " \r\n")) {
        long long number = atoll(word);
        if (!any || number > best)
            best = number;
        any = 1;
    }
    return best;
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    int listed = 0;
    long long move = 0;
    while (getline(&line, &size, stdin) > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, "game ", 5) == 0) {
            sscanf(line + 5, "%63s", game);
            puts("ready");
        } else if (strncmp(line, "state ", 6) == 0) {
            free(state);
            state = strdup(line + 6);
            listed = 0;
        } else if (strncmp(line, "legal ", 6) == 0) {
            move = largest(line + 6);
            listed = 1;
        } else if (strncmp(line, "go ", 3) == 0) {
            printf("%lld\n", listed ? move : without_a_list());
        } else if (strcmp(line, "quit") == 0) {
            break;
        }
        fflush(stdout); /* a line that stays in the buffer never reaches the referee */
    }
    free(line);
    free(state);
    return 0;
}
