/* A bot for every game, without dependencies: the last legal move.
 *   cc -O2 -o bot examples/bots/bot.c
 *   stammtisch bot check ./bot
 *
 * Every message is one line, and its keys come in a fixed order, so a bot that only picks a move needs no JSON parser:
 * "id" is a number, "moves" a list of strings in which a quotation mark or a backslash has a backslash before it.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The end of the string that begins at the quotation mark p: its closing mark. */
static char *closing(char *p) {
    for (p++; *p && *p != '"'; p++)
        if (*p == '\\' && p[1]) p++;
    return p;
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        if (strstr(line, "{\"type\":\"hello\"") == line)
            puts("{\"type\":\"hello\",\"protocol\":1,\"name\":\"the last move, in C\"}");
        else if (strstr(line, "{\"type\":\"turn\"") == line) {
            char *last = NULL, *end = NULL, *p = strstr(line, "],\"ms\":"); /* what follows the moves */
            long id = strtol(line + strlen("{\"type\":\"turn\",\"id\":"), NULL, 10);
            char *moves = strstr(line, "\"moves\":[");
            if (!p || !moves) return 1;
            for (char *q = moves + strlen("\"moves\":["); q < p; q = end + 2) {
                last = q;
                end = closing(q);
            }
            printf("{\"type\":\"move\",\"id\":%ld,\"move\":%.*s}\n", id, (int)(end - last + 1), last);
        } else if (strstr(line, "{\"type\":\"end\"") == line)
            break;
        fflush(stdout);
    }
    free(line);
    return 0;
}
