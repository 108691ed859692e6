// Where do these keys fall? One at a time, and as a column.

#include <inttypes.h>
#include <keyfall.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    keyfall_placer *placer;
    if (keyfall_placer_new(KEYFALL_SCHEME_KAFKA_JAVA, "{\"partitions\":12}", &placer) != KEYFALL_OK) {
        fprintf(stderr, "%s\n", keyfall_last_error());
        return 1;
    }

    const char *key = "user:42";
    keyfall_place_t place;
    switch (keyfall_place(placer, (const uint8_t *)key, strlen(key), &place)) {
    case KEYFALL_OK:
        printf("%s: partition %" PRIu32 "\n", key, place.index);
        break;
    case KEYFALL_UNPINNED:
        printf("%s: wherever the client likes (%s)\n", key, keyfall_last_error());
        break;
    default:
        fprintf(stderr, "%s: %s\n", key, keyfall_last_error());
        break;
    }

    // Three keys in Arrow's layout: "user:42", null, "".
    const int32_t offsets[] = {0, 7, 7, 7};
    const uint8_t validity[] = {5};
    uint32_t partitions[3];
    uint8_t status[3];
    keyfall_column keys = {0};
    keys.column_type = KEYFALL_UTF8;
    keys.rows = 3;
    keys.offsets = offsets;
    keys.data = key;
    keys.data_len = strlen(key);
    keys.validity = validity;
    keyfall_places places = {0};
    places.places = partitions;
    places.places_len = 3;
    places.status = status;
    places.status_len = 3;
    if (keyfall_place_column(placer, &keys, &places) != KEYFALL_OK) {
        fprintf(stderr, "%s\n", keyfall_last_error());
        return 1;
    }
    for (int i = 0; i < 3; i++) {
        printf("row %d: status %d, partition %" PRIu32 "\n", i, status[i], partitions[i]);
    }
    keyfall_placer_free(placer);

    // Without a placer, where nanoseconds count.
    uint32_t slot;
    if (keyfall_redis_slot((const uint8_t *)"{user:1}:cart", 13, &slot) == KEYFALL_OK) {
        printf("{user:1}:cart: slot %" PRIu32 "\n", slot);
    }
    return 0;
}
