/* An animal with eight threads that all compute for ever: it is late by its own fault, not by the machine's. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void *spin(void *unused) {
    volatile unsigned long count = 0;
    for (;;) count++;
    return unused;
}

int main(void) {
    static char line[1 << 16];
    setvbuf(stdout, NULL, _IONBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "game", 4)) printf("ready\n");
        if (strncmp(line, "go", 2)) continue;
        pthread_t thread;
        for (int i = 0; i < 8; i++) pthread_create(&thread, NULL, spin, NULL);
        pthread_join(thread, NULL); /* its first thread sleeps meanwhile */
    }
    return 0;
}
