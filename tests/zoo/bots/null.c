/* An animal that reads where nothing is. */
#include <stdio.h>
#include <string.h>

int main(void) {
    static char line[1 << 16];
    setvbuf(stdout, NULL, _IONBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "game", 4)) printf("ready\n");
        if (!strncmp(line, "go", 2)) return *(volatile int *)0;
    }
    return 0;
}
