// What the conventions at the top of the header promise. C11, and C++17.

#include "keyfall.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void check(int good, int line, const char *what) {
    if (!good) {
        fprintf(stderr, "calls.c:%d: %s (last error: %s)\n", line, what, keyfall_last_error());
        failures++;
    }
}
#define CHECK(condition) check(condition, __LINE__, #condition)
#define SAYS(text) CHECK(strstr(keyfall_last_error(), text) != NULL)

// Traces, lists and versions.
static void texts(void) {
    keyfall_placer *placer = NULL;
    char *json = NULL;
    const char *id = NULL;
    size_t n = 0;
    uint32_t places = 7;
    keyfall_domain domain = KEYFALL_BYTES;
    CHECK(strcmp(keyfall_version(), KEYFALL_VERSION) == 0);
    CHECK(keyfall_placer_new(KEYFALL_SCHEME_KAFKA_JAVA, "{\"partitions\":12}", &placer) == KEYFALL_OK);
    CHECK(keyfall_trace_json(placer, "{\"text\":\"100:48069\"}", &json) == KEYFALL_OK);
    CHECK(json != NULL && strstr(json, "{\"outcome\":{\"outcome\":\"placed\",\"place\":9,") == json);
    CHECK(json != NULL && strstr(json, "\"steps\":[{\"stage\":\"encode\",\"words\":") != NULL);
    keyfall_string_free(json);
    CHECK(keyfall_trace_json(placer, "{\"hex\":\"0\"}", &json) == KEYFALL_OK);
    CHECK(json != NULL && strstr(json, "\"steps\":[]") != NULL);
    keyfall_string_free(json);
    CHECK(keyfall_schemes_json(&json) == KEYFALL_OK);
    CHECK(json != NULL && strstr(json, "[{\"id\":\"kafka/java\",") == json && strstr(json, "redis/cluster") != NULL);
    keyfall_string_free(json);
    while (keyfall_scheme_id(n, &id) == KEYFALL_OK) {
        n++;
    }
    CHECK(n > 40);
    CHECK(keyfall_scheme_id(n, &id) == KEYFALL_OUT_OF_RANGE);
    SAYS("there is no scheme");
    CHECK(keyfall_scheme_id(0, &id) == KEYFALL_OK && strcmp(id, "kafka/java") == 0);
    CHECK(keyfall_placer_domain(placer, &domain) == KEYFALL_OK && domain == KEYFALL_INDEX);
    CHECK(keyfall_placer_places(placer, &places) == KEYFALL_OK && places == 12);
    CHECK(keyfall_placer_domain(placer, NULL) == KEYFALL_NULL_POINTER);
    CHECK(keyfall_placer_owner(placer, 0, &id) == KEYFALL_OUT_OF_RANGE);
    keyfall_placer_free(placer);
    CHECK(keyfall_placer_new(KEYFALL_SCHEME_CASSANDRA_MURMUR3, NULL, &placer) == KEYFALL_OK);
    CHECK(keyfall_placer_places(placer, &places) == KEYFALL_OUT_OF_RANGE && places == 12);
    keyfall_placer_free(placer);
    // Owners, by a topology.
    CHECK(keyfall_placer_new("redis/cluster",
                             "{\"topology\":{\"format\":1,\"unit\":\"slot\",\"epoch\":1,\"entries\":[{\"first\":0,"
                             "\"last\":16383,\"owner\":\"node-1\"}]}}",
                             &placer) == KEYFALL_OK);
    keyfall_place_t place;
    CHECK(keyfall_place(placer, (const uint8_t *)"a", 1, &place) == KEYFALL_OK && place.owner == 0);
    CHECK(keyfall_placer_owner(placer, place.owner, &id) == KEYFALL_OK && strcmp(id, "node-1") == 0);
    keyfall_placer_free(placer);
}

// Direct functions say what placers say.
static void direct(void) {
    const uint8_t *key = (const uint8_t *)"100:48069";
    uint32_t place = 77;
    int64_t token = 77;
    CHECK(keyfall_kafka_java(key, 9, 12, &place) == KEYFALL_OK && place == 9);
    CHECK(keyfall_kafka_java(key, 9, 0, &place) == KEYFALL_INVALID_PARAM && place == 9);
    SAYS("from 1 to 2147483647");
    CHECK(keyfall_kafka_java(key, 9, 0x80000000u, &place) == KEYFALL_INVALID_PARAM && place == 9);
    CHECK(keyfall_kafka_java(NULL, 0, 12, &place) == KEYFALL_UNPINNED && place == 9);
    CHECK(keyfall_kafka_java(NULL, 1, 12, &place) == KEYFALL_NULL_POINTER);
    CHECK(keyfall_kafka_java(key, 9, 12, NULL) == KEYFALL_NULL_POINTER);
    CHECK(keyfall_kafka_java(key, (size_t)0x80000000u, 12, &place) == KEYFALL_KEY_ERROR && place == 9);
    SAYS("no system takes more than 2147483647");
    CHECK(keyfall_kafka_librdkafka_consistent(NULL, 0, 12, &place) == KEYFALL_OK && place == 0);
    CHECK(keyfall_redis_slot((const uint8_t *)"{123}", 5, &place) == KEYFALL_OK);
    CHECK(keyfall_redis_slot(NULL, 0, &place) == KEYFALL_REJECTED);
    CHECK(keyfall_cassandra_token((const uint8_t *)"\x80", 1, &token) == KEYFALL_OK);
    CHECK(token == INT64_C(-5284281814142962636));
    CHECK(keyfall_cassandra_token(NULL, 0, &token) == KEYFALL_REJECTED);
    // Cassandra takes no key that is longer than 65535 bytes; Kafka does.
    static uint8_t longer[65536];
    CHECK(keyfall_cassandra_token(longer, sizeof longer, &token) == KEYFALL_REJECTED);
    CHECK(keyfall_kafka_java(longer, sizeof longer, 12, &place) == KEYFALL_OK && place < 12);
}

// Columns that do not fit write nothing.
static void columns(void) {
    keyfall_placer *placer = NULL;
    keyfall_column keys, parts[2];
    keyfall_places out;
    int32_t offsets[4] = {0, 9, 9, 9};
    uint8_t validity[1] = {3}, status[3] = {77, 77, 77};
    uint32_t index[3] = {77, 77, 77};
    int64_t numbers[3] = {1, 2, 3};
    keyfall_domain domain;
    memset(&keys, 0, sizeof keys);
    memset(&out, 0, sizeof out);
    keys.rows = 3;
    keys.offsets = offsets;
    keys.data = "100:48069";
    keys.data_len = 9;
    keys.validity = validity;
    out.places = index;
    out.places_len = 3;
    out.status = status;
    out.status_len = 3;
    CHECK(keyfall_placer_new("kafka/java", "{\"partitions\":12}", &placer) == KEYFALL_OK);
#define BAD(text)                                                                                                      \
    CHECK(keyfall_place_column(placer, &keys, &out) == KEYFALL_INVALID_COLUMN);                                         \
    SAYS(text);                                                                                                        \
    CHECK(index[0] == 77 && status[0] == 77)
    offsets[1] = 10;
    BAD("offset 2 is 9, before the one at 1 (10)");
    offsets[1] = -1;
    BAD("offset 1 is negative");
    offsets[1] = 9;
    offsets[3] = 10;
    BAD("beyond the data's length 9");
    offsets[3] = 9;
    out.places_len = 2;
    BAD("places has room for 2 rows, the column has 3");
    out.places_len = 3;
    out.status_len = 2;
    BAD("status has room for 2 rows");
    out.status_len = 3;
    keys.column_type = 99;
    BAD("no column_type is 99");
    keys.column_type = KEYFALL_BINARY;
    out.places = (char *)index + 1;
    BAD("places is not aligned");
    out.places = index;
    keys.data_len = SIZE_MAX;
    BAD("no memory holds that many");
    keys.data_len = 9;
    out.status = (uint8_t *)index;
    BAD("places overlaps");
    out.status = status;
    keys.offsets = NULL;
    CHECK(keyfall_place_column(placer, &keys, &out) == KEYFALL_NULL_POINTER);
    keys.offsets = offsets;
    keys.data = NULL;
    CHECK(keyfall_place_column(placer, &keys, &out) == KEYFALL_NULL_POINTER);
    keys.data = "100:48069";
    out.places = NULL;
    CHECK(keyfall_place_column(placer, &keys, &out) == KEYFALL_NULL_POINTER);
    out.places = index;
    CHECK(keyfall_place_column(placer, NULL, &out) == KEYFALL_NULL_POINTER);
    CHECK(keyfall_place_column(placer, &keys, NULL) == KEYFALL_NULL_POINTER);
    CHECK(index[0] == 77 && status[0] == 77);

    CHECK(keyfall_place_column(placer, &keys, &out) == KEYFALL_OK);
    CHECK(index[0] == 9 && index[1] == 9 && index[2] == 0);
    CHECK(status[0] == KEYFALL_OK && status[1] == KEYFALL_OK && status[2] == KEYFALL_UNPINNED);

    // Integers are of the system's type of their width.
    keys.column_type = KEYFALL_INT64;
    keys.data = numbers;
    keys.data_len = 2;
    CHECK(keyfall_place_column(placer, &keys, &out) == KEYFALL_INVALID_COLUMN);
    keys.data_len = 3;
    CHECK(keyfall_place_column(placer, &keys, &out) == KEYFALL_OK && status[2] == KEYFALL_UNPINNED);
    keyfall_placer_free(placer);

    // Freed: told, and freeing again does nothing.
    CHECK(keyfall_place_column(placer, &keys, &out) == KEYFALL_FREED);
    SAYS("the placer was freed");
    CHECK(keyfall_placer_domain(placer, &domain) == KEYFALL_FREED);
    keyfall_placer_free(placer);

    // A composite key, a column a component.
    CHECK(keyfall_placer_new("cassandra/murmur3", NULL, &placer) == KEYFALL_OK);
    memset(parts, 0, sizeof parts);
    parts[0].column_type = KEYFALL_UTF8;
    parts[0].rows = 3;
    parts[0].offsets = offsets;
    parts[0].data = "100:48069";
    parts[0].data_len = 9;
    parts[1].column_type = KEYFALL_INT64;
    parts[1].rows = 3;
    parts[1].data = numbers;
    parts[1].data_len = 3;
    parts[1].value_type = "int";
    memset(&keys, 0, sizeof keys);
    keys.column_type = KEYFALL_TUPLE;
    keys.rows = 3;
    keys.children = parts;
    keys.children_len = 2;
    int64_t tokens[3] = {0, 0, 0};
    out.places = tokens;
    CHECK(keyfall_place_column(placer, &keys, &out) == KEYFALL_OK);
    char *json = NULL, expected[64];
    CHECK(keyfall_place_json(placer, "{\"tuple\":[{\"text\":\"100:48069\"},{\"type\":\"int\",\"value\":\"1\"}]}", &json) ==
          KEYFALL_OK);
    snprintf(expected, sizeof expected, "{\"outcome\":\"placed\",\"place\":\"%lld\"", (long long)tokens[0]);
    CHECK(status[0] == KEYFALL_OK && strncmp(json, expected, strlen(expected)) == 0);
    keyfall_string_free(json);
    parts[1].rows = 2;
    CHECK(keyfall_place_column(placer, &keys, &out) == KEYFALL_INVALID_COLUMN);
    parts[1].rows = 3;
    parts[1].column_type = KEYFALL_TUPLE;
    CHECK(keyfall_place_column(placer, &keys, &out) == KEYFALL_INVALID_COLUMN);
    keyfall_placer_free(placer);

    // Places that are bytes: if they do not fit, nothing is written.
    CHECK(keyfall_placer_new("cassandra/byte-ordered", NULL, &placer) == KEYFALL_OK);
    int64_t ends[4] = {77, 77, 77, 77};
    char bytes[9];
    status[0] = 77;
    memset(&keys, 0, sizeof keys);
    keys.rows = 3;
    keys.offsets = offsets;
    keys.data = "100:48069";
    keys.data_len = 9;
    out.places = bytes;
    out.places_len = 8;
    out.offsets = ends;
    out.offsets_len = 4;
    CHECK(keyfall_place_column(placer, &keys, &out) == KEYFALL_INVALID_COLUMN && status[0] == 77 && ends[1] == 77);
    SAYS("places has room for 8, the column needs 9");
    out.places_len = 9;
    CHECK(keyfall_place_column(placer, &keys, &out) == KEYFALL_OK && status[0] == 0 && ends[1] == 9 && ends[3] == 9);
    CHECK(memcmp(bytes, "100:48069", 9) == 0);
    keyfall_placer_free(placer);
}

// Threads share a placer; each has a last error of its own.
static void *share(void *placer) {
    long wrong = 0, i;
    keyfall_place_t place;
    for (i = 0; i < 20000; i++) {
        wrong += keyfall_place((const keyfall_placer *)placer, (const uint8_t *)"100:48069", 9, &place) != KEYFALL_OK;
        wrong += place.index != 9;
    }
    wrong += keyfall_last_error()[0] != '\0';
    wrong += keyfall_place((const keyfall_placer *)placer, NULL, 0, &place) != KEYFALL_UNPINNED;
    return (void *)(size_t)wrong;
}

static void threads(void) {
    pthread_t all[4];
    keyfall_placer *placer = NULL;
    void *wrong;
    int i;
    CHECK(keyfall_placer_new("kafka/java", "{\"partitions\":12}", &placer) == KEYFALL_OK);
    for (i = 0; i < 4; i++) {
        CHECK(pthread_create(&all[i], NULL, share, placer) == 0);
    }
    for (i = 0; i < 4; i++) {
        CHECK(pthread_join(all[i], &wrong) == 0 && wrong == NULL);
    }
    keyfall_placer_free(placer);
}

// Text in UTF-8 and UTF-16.
static void text(void) {
    static const uint16_t lone[] = {'a', 0xd83d}, pair[] = {0xd83d, 0xde00};
    keyfall_placer *placer = NULL;
    keyfall_place_t utf8, utf16;
    CHECK(keyfall_placer_new("elasticsearch/modulo", "{\"shards\":1009}", &placer) == KEYFALL_OK);
    CHECK(keyfall_place_utf16(placer, pair, 2, &utf16) == KEYFALL_OK);
    CHECK(keyfall_place_text(placer, "\xf0\x9f\x98\x80", 4, &utf8) == KEYFALL_OK && utf8.index == utf16.index);
    CHECK(keyfall_place_utf16(placer, lone, 2, &utf16) == KEYFALL_OK);
    CHECK(keyfall_place_text(placer, "a\xff", 2, &utf8) == KEYFALL_INVALID_UTF8);
    SAYS("from byte 1");
    CHECK(keyfall_place_utf16(placer, (const uint16_t *)(const void *)((const char *)lone + 1), 1, &utf16) ==
          KEYFALL_KEY_ERROR);
    CHECK(keyfall_place_utf16(placer, NULL, 0, &utf16) == KEYFALL_REFUSED);
    keyfall_placer_free(placer);
}

int main(void) {
    static const uint8_t key[] = {'1', '0', '0', ':', '4', '8', '0', '6', '9'};
    keyfall_placer *placer = NULL;
    keyfall_place_t place;
    char *json = NULL, nothing;

    CHECK(strcmp(keyfall_last_error(), "") == 0);

    // A placer that cannot be is not written, and the text says what is allowed.
    CHECK(keyfall_placer_new("kafka/jva", NULL, &placer) == KEYFALL_UNKNOWN_SCHEME && placer == NULL);
    SAYS("did you mean kafka/java");
    CHECK(keyfall_placer_new("kafka/java", NULL, &placer) == KEYFALL_MISSING_PARAM && placer == NULL);
    SAYS("partitions is missing");
    CHECK(keyfall_placer_new("kafka/java", "{\"partitions\":0}", &placer) == KEYFALL_INVALID_PARAM);
    SAYS("from 1 to 2147483647");
    CHECK(keyfall_placer_new("kafka/java", "{\"shards\":3}", &placer) == KEYFALL_UNKNOWN_PARAM);
    CHECK(keyfall_placer_new("kafka/java", "{", &placer) == KEYFALL_INVALID_JSON);
    CHECK(keyfall_placer_new("kafka/\xff", NULL, &placer) == KEYFALL_INVALID_UTF8);
    SAYS("from byte 6");
    CHECK(keyfall_placer_new(NULL, NULL, &placer) == KEYFALL_NULL_POINTER);
    SAYS("scheme is NULL");
    CHECK(keyfall_placer_new("redis/cluster", NULL, NULL) == KEYFALL_NULL_POINTER);
    CHECK(placer == NULL);

    CHECK(keyfall_placer_new("kafka/java", "{\"partitions\":12}", &placer) == KEYFALL_OK && placer != NULL);
    CHECK(keyfall_place(placer, key, sizeof key, &place) == KEYFALL_OK);
    CHECK(place.domain == KEYFALL_INDEX && place.index == 9);

    // Outcomes without a place leave it alone.
    place.index = 77;
    CHECK(keyfall_place(placer, NULL, 0, &place) == KEYFALL_UNPINNED && place.index == 77);
    CHECK(keyfall_last_error()[0] != '\0');
    CHECK(keyfall_place(placer, (const uint8_t *)&nothing, 0, &place) == KEYFALL_OK && place.index == 9);
    CHECK(keyfall_place(placer, NULL, 3, &place) == KEYFALL_NULL_POINTER);
    CHECK(keyfall_place(placer, key, SIZE_MAX, &place) == KEYFALL_KEY_ERROR);
    CHECK(keyfall_place(placer, key, sizeof key, NULL) == KEYFALL_NULL_POINTER);
    CHECK(keyfall_place(NULL, key, sizeof key, &place) == KEYFALL_NULL_POINTER);
    SAYS("placer is NULL");

    CHECK(keyfall_place_json(placer, "{\"text\":\"100:48069\"}", &json) == KEYFALL_OK);
    CHECK(strcmp(json, "{\"outcome\":\"placed\",\"place\":9,\"hash\":\"1009543857\"}") == 0);
    keyfall_string_free(json);
    CHECK(keyfall_place_json(placer, "{\"hex\":\"0\"}", &json) == KEYFALL_OK);
    CHECK(strstr(json, "{\"outcome\":\"error\",\"why\":\"hex: ") == json);
    keyfall_string_free(json);
    json = NULL;
    CHECK(keyfall_place_json(placer, NULL, &json) == KEYFALL_NULL_POINTER && json == NULL);
    CHECK(keyfall_place_json(placer, "null", NULL) == KEYFALL_NULL_POINTER);
    CHECK(keyfall_place_json(NULL, "null", &json) == KEYFALL_NULL_POINTER && json == NULL);
    keyfall_placer_free(placer);

    // A token is a token.
    CHECK(keyfall_placer_new("cassandra/murmur3", NULL, &placer) == KEYFALL_OK);
    CHECK(keyfall_place(placer, (const uint8_t *)"\x80", 1, &place) == KEYFALL_OK);
    CHECK(place.domain == KEYFALL_I64 && place.token == INT64_C(-5284281814142962636));
    CHECK(keyfall_place(placer, NULL, 0, &place) == KEYFALL_REJECTED);
    keyfall_placer_free(placer);

    keyfall_placer_free(NULL);
    keyfall_string_free(NULL);

    texts();
    direct();
    columns();
    threads();
    text();
    return failures > 0;
}
