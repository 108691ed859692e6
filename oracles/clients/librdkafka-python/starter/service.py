"""What is asked: the name under which the service is reported, the function that its configuration selects (`keyfall
schemes` lists them), and that configuration: its Producer's, without the brokers. Put your service's own here."""

NAME = "confluent-kafka-service"
SCHEME = "kafka/librdkafka-consistent-random"
PRODUCER = {}  # its default is partitioner=consistent_random
