/* The commonest mistake in C: printf to a pipe, and no fflush. */
#include <stdio.h>
#include <string.h>

int main(void) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "game", 4)) { printf("ready\n"); fflush(stdout); }
        if (!strncmp(line, "go", 2)) printf("1\n");
    }
    return 0;
}
