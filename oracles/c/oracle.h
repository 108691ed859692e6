/* The oracle protocol for adapters written in C: JSON lines on stdin and stdout. Needs jansson. */
#ifndef ORACLE_H
#define ORACLE_H

#include <stddef.h>
#include <stdint.h>

/* How often a null or empty key is placed before it counts as pinned. */
#define ORACLE_REPEATS 64

enum oracle_outcome { ORACLE_PLACED, ORACLE_UNPINNED, ORACLE_REJECTED, ORACLE_ERROR };

/* A key of a client that takes bytes, and what became of it. */
struct oracle_key {
    const void *bytes; /* NULL for the null key */
    size_t length;
    enum oracle_outcome outcome; /* ORACLE_ERROR on arrival: this adapter cannot hand it to the client, and leaves it alone */
    int32_t place;
    char why[200];
};

/* Places the keys of one request. What is returned, where that is not NULL, is the reason why all of it is skipped. */
typedef const char *(*oracle_place)(int32_t partitions, struct oracle_key *keys, size_t count);

/* Answers until stop or the end of stdin; whatever else prints to stdout is sent to stderr. Returns main's status. */
int oracle_serve(const char *name, const char *client_version, const char *scheme, oracle_place place);

#endif
