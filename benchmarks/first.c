/* The quickest bot there can be: plays the first legal move, with one read and one write a turn. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char buffer[1 << 20];

int main(void) {
    size_t held = 0;
    char move[64] = "";
    for (;;) {
        ssize_t got = read(0, buffer + held, sizeof buffer - held);
        if (got <= 0) return 0;
        held += (size_t)got;
        char *line = buffer, *end;
        while ((end = memchr(line, '\n', held - (size_t)(line - buffer))) != NULL) {
            *end = 0;
            if (!strncmp(line, "legal ", 6)) sscanf(line + 6, "%63s", move);
            else if (!strncmp(line, "go ", 3)) {
                size_t length = strlen(move);
                move[length] = '\n';
                if (write(1, move, length + 1) < 0) return 1;
                move[length] = 0;
            } else if (!strncmp(line, "game ", 5)) {
                if (write(1, "ready\n", 6) < 0) return 1;
            } else if (!strcmp(line, "quit")) return 0;
            line = end + 1;
        }
        held -= (size_t)(line - buffer);
        memmove(buffer, line, held);
    }
}
