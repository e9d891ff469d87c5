/* A bot for Arena: reads one line after another and answers two of them, `game` and `go`. */
#define _POSIX_C_SOURCE 200809L /* for getline and strdup */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char game[64] = "";     /* the game's id, such as "squares" */
static char *state = NULL;     /* the position, such as "total=64" */
static char *legal_line = NULL;
static char **legal = NULL;    /* every legal move */
static int legal_count = 0;    /* 0 if there are more than 1,000: then work one out from `state` */

/* The number after KEY= in the position; 0 if there is none, and for `previous=-`. */
static long long number(const char *key)
{
    size_t length = strlen(key);
    for (const char *at = state; at && *at; at++)
        if ((at == state || at[-1] == ' ') && strncmp(at, key, length) == 0 && at[length] == '=')
            return atoll(at + length + 1);
    return 0;
}

/* Answer with the move to play. */
static void choose(void)
{
    /* PUT YOUR IDEA HERE. This one plays any legal move. */
    if (legal_count > 0)
        printf("%s\n", legal[rand() % legal_count]);
    else if (strcmp(game, "squares") == 0)
        printf("1\n");
    else if (strcmp(game, "primes") == 0)
        printf("2\n");
    else /* linked: any number below N at the start, then the previous number again */
        printf("%lld\n", number("previous") ? number("previous") : number("n") - 1);
}

static void new_game(const char *line)
{
    const char *seed = strstr(line, " seed=");
    sscanf(line, "game %63s", game);
    srand(seed ? (unsigned)strtoull(seed + 6, NULL, 10) : 1); /* the same seed gives the same play */
    puts("ready");
}

static void remember_position(const char *line)
{
    free(state);
    state = strdup(line + strlen("state "));
    legal_count = 0;
}

static void remember_moves(const char *line)
{
    free(legal_line);
    legal_line = strdup(line + strlen("legal "));
    legal = realloc(legal, (strlen(line) + 1) * sizeof *legal); /* more than enough */
    legal_count = 0;
    for (char *word = strtok(legal_line, " "); word; word = strtok(NULL, " "))
        legal[legal_count++] = word;
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, "game ", 5) == 0)
            new_game(line);
        else if (strncmp(line, "state ", 6) == 0)
            remember_position(line);
        else if (strncmp(line, "legal ", 6) == 0)
            remember_moves(line);
        else if (strncmp(line, "go ", 3) == 0) /* then the milliseconds you have */
            choose();
        else if (strcmp(line, "quit") == 0)
            break;
        fflush(stdout); /* without it the answer stays in a buffer */
    }
    return 0;
}
