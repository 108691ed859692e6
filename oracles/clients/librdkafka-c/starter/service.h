/* What is asked: the name under which the service is reported, the function that its configuration selects (`keyfall
 * schemes` lists them), and that configuration, without the brokers. Put your service's own here. */
#define NAME "librdkafka-service"
#define SCHEME "kafka/librdkafka-consistent-random"

static const char *const CONFIGURATION[][2] = {
    {"partitioner", "consistent_random"}, /* also what it is without this line */
};
