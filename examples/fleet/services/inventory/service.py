"""inventory: Python, kafka-python, whose default is the Java client's function."""

NAME = "inventory"
SCHEME = "kafka/kafka-python"
PRODUCER = {"acks": "all"}
