// What the conventions at the top of the header promise. C11, and C++17.

#include "keyfall.h"

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
    return failures > 0;
}
