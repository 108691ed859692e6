// Runs every vector through the C interface: `vectors LANGUAGE CASES`, CASES as cases.py writes them. C11, and C++17.

#include "keyfall.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEME, ID, PARAMS, KEY, BYTES, FORM, OUTCOME, PLACE, HASH, OWNER, COLUMNS };

// So many differences are shown; all are counted.
static const unsigned long SHOWN = 40;

static unsigned long passed, failed, differences;

static void *allocate(size_t size) {
    void *memory = malloc(size == 0 ? 1 : size);
    if (memory == NULL) {
        fputs("out of memory\n", stderr);
        exit(2);
    }
    return memory;
}

// What a member of a flat JSON object of strings and numbers is, as it stands there; "-" where it is absent.
static void member(const char *json, const char *name, char *value, size_t size) {
    const char *at = json + 1;
    snprintf(value, size, "-");
    while (*at == '"') {
        const char *key = at + 1, *end = strchr(key, '"'), *from = end + 2, *to = from;
        if (*from == '"') {
            for (to++; *to != '"'; to++) {
                to += *to == '\\';
            }
            to++;
        } else {
            to += strcspn(from, ",}");
        }
        if (strlen(name) == (size_t)(end - key) && strncmp(name, key, strlen(name)) == 0) {
            snprintf(value, size, "%.*s", (int)(to - from), from);
            return;
        }
        at = *to == ',' ? to + 1 : to;
    }
}

static const char *unquoted(char *text) {
    size_t length = strlen(text);
    if (length < 2 || text[0] != '"') {
        return text;
    }
    text[length - 1] = '\0';
    return text + 1;
}

// A 128-bit number in decimal.
static void decimal(uint64_t high, uint64_t low, char *out) {
    char digits[40];
    size_t n = 0, i;
    uint32_t parts[4] = {(uint32_t)(high >> 32), (uint32_t)high, (uint32_t)(low >> 32), (uint32_t)low};
    do {
        uint64_t rest = 0;
        for (i = 0; i < 4; i++) {
            rest = rest << 32 | parts[i];
            parts[i] = (uint32_t)(rest / 10);
            rest %= 10;
        }
        digits[n++] = (char)('0' + rest);
    } while (parts[0] != 0 || parts[1] != 0 || parts[2] != 0 || parts[3] != 0);
    for (i = 0; i < n; i++) {
        out[i] = digits[n - 1 - i];
    }
    out[n] = '\0';
}

// A place as JSON has it: a number where it is an index or a code, otherwise a string.
static void place_json(const keyfall_place_t *place, char *out, size_t size) {
    char number[40];
    switch (place->domain) {
    case KEYFALL_INDEX:
        snprintf(out, size, "%" PRIu32, place->index);
        break;
    case KEYFALL_I32:
        snprintf(out, size, "%" PRId64, place->token);
        break;
    case KEYFALL_I64:
        snprintf(out, size, "\"%" PRId64 "\"", place->token);
        break;
    case KEYFALL_U128:
        decimal(place->high, place->low, number);
        snprintf(out, size, "\"%s\"", number);
        break;
    case KEYFALL_BYTES:
        // Hex needs no escapes. A text that does is compared by keyfall_place_json alone.
        snprintf(out, size, "\"%s\"", place->text);
        break;
    }
}

static const char *word(keyfall_result result) {
    switch (result) {
    case KEYFALL_OK:
        return "placed";
    case KEYFALL_UNPINNED:
        return "unpinned";
    case KEYFALL_REJECTED:
        return "rejected";
    case KEYFALL_REFUSED:
        return "refused";
    case KEYFALL_KEY_ERROR:
        return "error";
    default:
        return keyfall_last_error();
    }
}

static void fail(char **c, const char *call, const char *what, const char *expected, const char *got) {
    if (differences++ >= SHOWN) {
        return;
    }
    fprintf(stderr, "%s case %s: %s: %s is %s, expected %s\n  key %s params %s\n", c[SCHEME], c[ID], call, what, got,
            expected, c[KEY], c[PARAMS]);
}

static int same(char **c, const char *call, const char *what, const char *expected, const char *got) {
    if (strcmp(expected, got) == 0) {
        return 1;
    }
    fail(c, call, what, expected, got);
    return 0;
}

static int by_json(char **c, const keyfall_placer *placer) {
    char *json = NULL, *value;
    size_t size;
    int good;
    keyfall_result result = keyfall_place_json(placer, c[KEY], &json);
    if (result != KEYFALL_OK) {
        fail(c, "keyfall_place_json", "the call", "KEYFALL_OK", keyfall_last_error());
        return 0;
    }
    size = strlen(json) + 1;
    value = (char *)allocate(size < 2 ? 2 : size);
    member(json, "outcome", value, size);
    good = same(c, "keyfall_place_json", "the outcome", c[OUTCOME], unquoted(value));
    member(json, "place", value, size);
    good &= same(c, "keyfall_place_json", "the place", c[PLACE], value);
    if (strcmp(c[HASH], "-") != 0) {
        member(json, "hash", value, size);
        good &= same(c, "keyfall_place_json", "the hash", c[HASH], unquoted(value));
    }
    if (strcmp(c[OWNER], "-") != 0) {
        member(json, "owner", value, size);
        good &= same(c, "keyfall_place_json", "the owner", c[OWNER], unquoted(value));
    }
    free(value);
    keyfall_string_free(json);
    return good;
}

// What a call with a place for an out-param answered.
static int answered(char **c, const char *call, keyfall_result result, const keyfall_place_t *place) {
    int good = same(c, call, "the outcome", c[OUTCOME], word(result));
    if (good && result == KEYFALL_OK) {
        size_t size = place->text_len + 48;
        char *value = (char *)allocate(size);
        place_json(place, value, size);
        if (place->domain != KEYFALL_BYTES || strchr(c[PLACE], '\\') == NULL) {
            good = same(c, call, "the place", c[PLACE], value);
        }
        free(value);
    }
    return good;
}

// The same key as a column of one row.
static int by_column(char **c, const keyfall_placer *placer, uint32_t type, const void *data, size_t length, int null) {
    // Two bytes a byte in hex (OrderPreservingPartitioner), three a UTF-16 unit in UTF-8.
    uint8_t status = 77, validity = null ? 0 : 1, *bytes = (uint8_t *)allocate(3 * length);
    uint32_t index = 0;
    int32_t offsets[2] = {0, 0};
    int64_t token = 0, ends[2] = {0, 0};
    keyfall_u128 wide = {0, 0};
    keyfall_column keys;
    keyfall_places places;
    keyfall_place_t place;
    keyfall_domain domain = KEYFALL_INDEX;
    keyfall_result result;
    int good = 1;
    offsets[1] = (int32_t)length;
    memset(&keys, 0, sizeof keys);
    memset(&places, 0, sizeof places);
    memset(&place, 0, sizeof place);
    keys.column_type = type;
    keys.rows = 1;
    keys.offsets = offsets;
    keys.data = data;
    keys.data_len = length;
    keys.validity = &validity;
    if (keyfall_placer_domain(placer, &domain) != KEYFALL_OK) {
        fail(c, "keyfall_placer_domain", "the call", "KEYFALL_OK", keyfall_last_error());
        good = 0;
    }
    places.status = &status;
    places.status_len = 1;
    places.places_len = 1;
    switch (domain) {
    case KEYFALL_INDEX:
        places.places = &index;
        break;
    case KEYFALL_I32:
    case KEYFALL_I64:
        places.places = &token;
        break;
    case KEYFALL_U128:
        places.places = &wide;
        break;
    case KEYFALL_BYTES:
        places.places = bytes;
        places.places_len = 3 * length;
        places.offsets = ends;
        places.offsets_len = 2;
        break;
    }
    result = keyfall_place_column(placer, &keys, &places);
    if (result != KEYFALL_OK) {
        fail(c, "keyfall_place_column", "the call", "KEYFALL_OK", keyfall_last_error());
        good = 0;
    }
    // -1 is a place of 128 bits too, and bytes are not written as text here: vectors of Rust and Python hold both.
    if (good && domain != KEYFALL_BYTES && !(wide.high == UINT64_MAX && wide.low == UINT64_MAX)) {
        place.domain = domain;
        place.index = index;
        place.token = token;
        place.high = wide.high;
        place.low = wide.low;
        good = answered(c, "keyfall_place_column", (keyfall_result)status, &place);
    } else if (good) {
        good = same(c, "keyfall_place_column", "the outcome", c[OUTCOME], word((keyfall_result)status));
    }
    free(bytes);
    return good;
}

// The ways that need no JSON: bytes and null, UTF-8, UTF-16.
static int by_form(char **c, const keyfall_placer *placer) {
    int null = strcmp(c[BYTES], "null") == 0, text = strcmp(c[FORM], "text") == 0, utf16 = strcmp(c[FORM], "utf16") == 0;
    size_t length = null ? 0 : strlen(c[BYTES]) / 2, i;
    uint8_t *key = (uint8_t *)allocate(length);
    keyfall_place_t place;
    keyfall_result result;
    int good;
    for (i = 0; i < length; i++) {
        unsigned byte = 0;
        sscanf(c[BYTES] + 2 * i, "%2x", &byte);
        key[i] = (uint8_t)byte;
    }
    if (utf16) {
        uint16_t *units = (uint16_t *)allocate(length);
        for (i = 0; i < length / 2; i++) {
            units[i] = (uint16_t)(key[2 * i] | key[2 * i + 1] << 8);
        }
        result = keyfall_place_utf16(placer, units, length / 2, &place);
        good = answered(c, "keyfall_place_utf16", result, &place);
        good &= by_column(c, placer, KEYFALL_UTF16, units, length / 2, 0);
        free(units);
    } else if (text) {
        result = keyfall_place_text(placer, (const char *)key, length, &place);
        good = answered(c, "keyfall_place_text", result, &place);
        good &= by_column(c, placer, KEYFALL_UTF8, key, length, 0);
    } else {
        result = keyfall_place(placer, null ? NULL : key, length, &place);
        good = answered(c, "keyfall_place", result, &place);
        good &= by_column(c, placer, KEYFALL_BINARY, key, length, null);
    }
    free(key);
    return good;
}

static void with_commas(unsigned long n, char *out, size_t size) {
    char digits[32];
    size_t length, i, at = 0;
    snprintf(digits, sizeof digits, "%lu", n);
    length = strlen(digits);
    for (i = 0; i < length && at + 2 < size; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            out[at++] = ',';
        }
        out[at++] = digits[i];
    }
    out[at] = '\0';
}

// The whole of a file, with a NUL at its end.
static char *read_all(const char *path) {
    FILE *file = fopen(path, "rb");
    size_t size = 1 << 16, length = 0, n;
    char *text = (char *)allocate(size), *larger;
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    while ((n = fread(text + length, 1, size - length - 1, file)) > 0) {
        length += n;
        if (length + 1 == size) {
            larger = (char *)allocate(size * 2);
            memcpy(larger, text, length);
            free(text);
            text = larger;
            size *= 2;
        }
    }
    fclose(file);
    text[length] = '\0';
    return text;
}

int main(int argc, char **argv) {
    char *text, *line, *next, *c[COLUMNS], good_text[48], bad_text[48];
    const char *scheme = "", *params = "";
    keyfall_placer *placer = NULL;
    if (argc != 3) {
        fputs("usage: vectors LANGUAGE CASES\n", stderr);
        return 2;
    }
    text = read_all(argv[2]);
    for (line = text; *line != '\0'; line = next) {
        char *end = strchr(line, '\n'), *at = line;
        int i, good;
        if (end == NULL) {
            fputs("the last line is not whole\n", stderr);
            return 2;
        }
        *end = '\0';
        next = end + 1;
        for (i = 0; i < COLUMNS; i++) {
            char *tab = strchr(at, '\t');
            if ((tab == NULL) != (i == COLUMNS - 1)) {
                fprintf(stderr, "not %d columns: %s\n", (int)COLUMNS, line);
                return 2;
            }
            c[i] = at;
            if (tab != NULL) {
                *tab = '\0';
                at = tab + 1;
            }
        }
        if (placer == NULL || strcmp(scheme, c[SCHEME]) != 0 || strcmp(params, c[PARAMS]) != 0) {
            keyfall_placer_free(placer);
            placer = NULL;
            scheme = c[SCHEME];
            params = c[PARAMS];
            if (keyfall_placer_new(scheme, params, &placer) != KEYFALL_OK) {
                fail(c, "keyfall_placer_new", "the call", "KEYFALL_OK", keyfall_last_error());
                failed++;
                continue;
            }
        }
        good = by_json(c, placer);
        if (strcmp(c[BYTES], "-") != 0) {
            good &= by_form(c, placer);
        }
        good ? passed++ : failed++;
    }
    keyfall_placer_free(placer);
    free(text);
    if (differences > SHOWN) {
        fprintf(stderr, "... and %lu more differences\n", differences - SHOWN);
    }
    with_commas(passed, good_text, sizeof good_text);
    with_commas(failed, bad_text, sizeof bad_text);
    printf("%s: %s vector cases passed, %s failed\n", argv[1], good_text, bad_text);
    return failed > 0 || passed == 0;
}
