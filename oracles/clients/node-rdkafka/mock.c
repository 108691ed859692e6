/* librdkafka's mock cluster as a program: prints its bootstrap servers, then reads lines "TOPIC PARTITIONS" until the end
 * of stdin and prints for each the code of rd_kafka_mock_topic_create. */
#include <stdio.h>

#include "rdkafka.h"
#include "rdkafka_mock.h"

int main(void) {
    char why[512];
    rd_kafka_t *handle = rd_kafka_new(RD_KAFKA_PRODUCER, rd_kafka_conf_new(), why, sizeof(why));
    rd_kafka_mock_cluster_t *cluster = handle ? rd_kafka_mock_cluster_new(handle, 1) : NULL;
    if (!cluster) {
        fprintf(stderr, "no mock cluster: %s\n", why);
        return 1;
    }
    printf("%s\n", rd_kafka_mock_cluster_bootstraps(cluster));
    fflush(stdout);

    char topic[64];
    int partitions;
    while (scanf("%63s %d", topic, &partitions) == 2) {
        printf("%d\n", rd_kafka_mock_topic_create(cluster, topic, partitions, 1));
        fflush(stdout);
    }
    return 0;
}
