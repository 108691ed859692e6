/* shipping: C, librdkafka told to place as the Java client does. */
#define NAME "shipping"
#define SCHEME "kafka/librdkafka-murmur2-random"

static const char *const CONFIGURATION[][2] = {
    {"partitioner", "murmur2_random"},
    {"acks", "all"},
};
