/* Where librdkafka puts keys, with the configuration of service.h: they are produced to its own mock cluster, and the
 * delivery report says where each went. */
#include "oracle.h"
#include "service.h"

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_MOCKED 10000 /* partitions of a topic of the mock cluster */
#define STICKY 11000      /* microseconds; longer than the default sticky.partitioning.linger.ms */

static rd_kafka_mock_cluster_t *cluster;
static rd_kafka_t *producer;

static void delivered(rd_kafka_t *rk, const rd_kafka_message_t *message, void *opaque) {
    struct oracle_key *key = message->_private;
    (void)rk, (void)opaque;
    key->place = message->partition;
    if (message->err) {
        key->outcome = ORACLE_REJECTED;
        snprintf(key->why, sizeof key->why, "%s", rd_kafka_err2str(message->err));
    }
}

static void produce(const char *topic, struct oracle_key *key) {
    rd_kafka_resp_err_t error;
    while ((error = rd_kafka_producev(producer, RD_KAFKA_V_TOPIC(topic), RD_KAFKA_V_KEY(key->bytes, key->length),
                                      RD_KAFKA_V_OPAQUE(key), RD_KAFKA_V_END)) == RD_KAFKA_RESP_ERR__QUEUE_FULL) {
        rd_kafka_poll(producer, 100);
    }
    if (error) {
        key->outcome = ORACLE_REJECTED;
        snprintf(key->why, sizeof key->why, "%s", rd_kafka_err2str(error));
    }
    rd_kafka_poll(producer, 0);
}

static const char *place(int32_t partitions, struct oracle_key *keys, size_t count) {
    char topic[32];
    if (partitions > MOST_MOCKED) {
        return "no topic of so many partitions in the mock cluster";
    }
    snprintf(topic, sizeof topic, "t%d", partitions);
    rd_kafka_mock_topic_create(cluster, topic, partitions, 1); /* an error where it is there already */
    for (size_t i = 0; i < count; i++) {
        if (keys[i].outcome == ORACLE_PLACED) {
            produce(topic, &keys[i]);
        }
    }
    rd_kafka_flush(producer, 60 * 1000);
    /* A null or empty key may be unpinned: it is produced until it lands in a second place. */
    for (size_t i = 0; i < count; i++) {
        for (int again = 1; again < ORACLE_REPEATS && keys[i].outcome == ORACLE_PLACED && !keys[i].length; again++) {
            int32_t first = keys[i].place;
            usleep(STICKY);
            produce(topic, &keys[i]);
            rd_kafka_flush(producer, 60 * 1000);
            if (keys[i].outcome == ORACLE_PLACED && keys[i].place != first) {
                keys[i].outcome = ORACLE_UNPINNED;
            }
        }
    }
    return NULL;
}

int main(void) {
    char why[512];
    rd_kafka_t *host = rd_kafka_new(RD_KAFKA_PRODUCER, rd_kafka_conf_new(), why, sizeof why);
    rd_kafka_conf_t *conf = rd_kafka_conf_new();
    cluster = host ? rd_kafka_mock_cluster_new(host, 1) : NULL;
    if (!cluster) {
        fprintf(stderr, "no mock cluster\n");
        return 1;
    }
    rd_kafka_conf_set_dr_msg_cb(conf, delivered);
    int wrong = rd_kafka_conf_set(conf, "bootstrap.servers", rd_kafka_mock_cluster_bootstraps(cluster), why, sizeof why);
    for (size_t i = 0; i < sizeof CONFIGURATION / sizeof *CONFIGURATION; i++) {
        wrong |= rd_kafka_conf_set(conf, CONFIGURATION[i][0], CONFIGURATION[i][1], why, sizeof why);
    }
    producer = wrong ? NULL : rd_kafka_new(RD_KAFKA_PRODUCER, conf, why, sizeof why);
    if (!producer) {
        fprintf(stderr, "%s\n", why);
        return 1;
    }
    return oracle_serve(NAME, rd_kafka_version_str(), SCHEME, place);
}
