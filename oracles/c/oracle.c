#include "oracle.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The bytes of hex, to be freed; NULL where it is none. */
static unsigned char *from_hex(const char *hex, size_t length) {
    unsigned char *bytes = malloc(length / 2 + 1);
    for (size_t i = 0; bytes && i < length; i++) {
        int value = digit(hex[i]);
        if (value < 0 || length % 2) {
            free(bytes);
            return NULL;
        }
        bytes[i / 2] = (unsigned char)(i % 2 ? bytes[i / 2] << 4 | value : value);
    }
    return bytes;
}

/* A KEY. `owned` is to be freed with it. */
static struct oracle_key decode(const json_t *json, void **owned) {
    struct oracle_key key = {.outcome = ORACLE_PLACED};
    json_t *hex = json_object_get(json, "hex"), *text = json_object_get(json, "text");
    *owned = NULL;
    if (json_is_null(json)) {
        return key;
    }
    if (json_object_size(json) == 1 && json_is_string(text)) {
        key.bytes = json_string_value(text);
        key.length = json_string_length(text);
        return key;
    }
    if (json_object_size(json) == 1 && json_is_string(hex)) {
        key.bytes = *owned = from_hex(json_string_value(hex), json_string_length(hex));
        key.length = json_string_length(hex) / 2;
        if (key.bytes) {
            return key;
        }
    }
    key.outcome = ORACLE_ERROR;
    snprintf(key.why, sizeof key.why, "this adapter takes null, text and hex alone");
    return key;
}

static json_t *encode(const struct oracle_key *key) {
    static const char *const words[] = {"placed", "unpinned", "rejected", "error"};
    json_t *outcome = json_object();
    json_object_set_new(outcome, "outcome", json_string(words[key->outcome]));
    if (key->outcome == ORACLE_PLACED) {
        json_object_set_new(outcome, "place", json_integer(key->place));
    } else {
        json_object_set_new(outcome, "why", json_string(
            key->outcome == ORACLE_UNPINNED ? "one key, placed again, landed in another place" : key->why));
    }
    return outcome;
}

static json_t *answer(const json_t *request, oracle_place place) {
    json_t *params = json_object_get(request, "params"), *list = json_object_get(request, "keys");
    json_t *partitions = json_object_get(params, "partitions"), *reply = json_object(), *outcomes = json_array();
    json_object_set(reply, "seq", json_object_get(request, "seq"));
    if (json_object_size(params) != 1 || !json_is_integer(partitions) || json_integer_value(partitions) < 1 ||
        json_integer_value(partitions) > INT32_MAX) {
        json_object_set_new(reply, "skipped", json_string("this adapter knows partitions alone"));
        return reply;
    }
    size_t count = json_array_size(list);
    struct oracle_key *keys = calloc(count + 1, sizeof *keys);
    void **owned = calloc(count + 1, sizeof *owned);
    for (size_t i = 0; i < count; i++) {
        keys[i] = decode(json_array_get(list, i), &owned[i]);
    }
    const char *skipped = place((int32_t)json_integer_value(partitions), keys, count);
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(outcomes, encode(&keys[i]));
        free(owned[i]);
    }
    free(keys);
    free(owned);
    json_object_set_new(reply, skipped ? "skipped" : "outcomes", skipped ? json_string(skipped) : json_incref(outcomes));
    json_decref(outcomes);
    return reply;
}

int oracle_serve(const char *name, const char *client_version, const char *scheme, oracle_place place) {
    FILE *out = fdopen(dup(1), "w");
    char *line = NULL;
    size_t size = 0;
    if (!out || dup2(2, 1) < 0) {
        return 1;
    }
    while (getline(&line, &size, stdin) >= 0) {
        json_error_t error;
        json_t *request = json_loads(line, JSON_ALLOW_NUL, &error);
        const char *command = json_string_value(json_object_get(request, "cmd"));
        if (!command) {
            fprintf(stderr, "no request: %s\n", request ? line : error.text);
            return 1;
        }
        json_t *reply = NULL;
        if (!strcmp(command, "start")) {
            reply = json_pack("{s:i, s:s, s:s, s:s, s:[s]}", "version", 1, "name", name, "client_version", client_version,
                              "language", "c", "schemes", scheme);
        } else if (!strcmp(command, "place")) {
            reply = answer(request, place);
        }
        json_decref(request);
        if (!reply) {
            break; /* stop */
        }
        if (json_dumpf(reply, out, JSON_COMPACT | JSON_ENSURE_ASCII) < 0 || fputc('\n', out) == EOF || fflush(out)) {
            return 1;
        }
        json_decref(reply);
    }
    free(line);
    return 0;
}
