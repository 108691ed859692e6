"""What is asked: the name under which the service is reported, the function that its configuration selects (`keyfall
schemes` lists them), and that configuration: the arguments of its KafkaProducer. Put your service's own here."""

NAME = "kafka-python-service"
SCHEME = "kafka/kafka-python"
PRODUCER = {}  # its default is kafka.partitioner.DefaultPartitioner
