#include <stddef.h>
#include <stdint.h>

static const uint32_t SEED = 0x9747b28c;

static uint32_t murmur2(const unsigned char *key, size_t len) {
    const uint32_t m = 0x5bd1e995;
    uint32_t h = SEED ^ (uint32_t)len;
    for (; len >= 4; key += 4, len -= 4) {
        uint32_t k = (key[0] | key[1] << 8 | key[2] << 16 | (uint32_t)key[3] << 24) * m;
        h = h * m ^ (k ^ k >> 24) * m;
    }
    if (len > 0) {
        for (size_t i = 0; i < len; i++) h ^= (uint32_t)key[i] << 8 * i;
        h *= m;
    }
    h = (h ^ h >> 13) * m;
    return h ^ h >> 15;
}

unsigned partition(const unsigned char *key, size_t len, unsigned partitions) {
    return (murmur2(key, len) & 0x7fffffff) % partitions;
}
