"""aiokafka's default partitioner. A str key is handed over as UTF-8: the client itself takes bytes alone."""
import asyncio
import functools
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))
import oracle_helper as oracle  # noqa: E402
import aiokafka  # noqa: E402
from aiokafka.errors import MessageSizeTooLargeError  # noqa: E402
from aiokafka.partitioner import DefaultPartitioner  # noqa: E402

default = DefaultPartitioner()


def place(params, keys):
    partitions = list(range(oracle.count(params, most=100000)))

    def one(_, key):
        data = oracle.to_bytes(key)
        return oracle.observe(lambda: default(data, partitions, partitions), 1 if data else oracle.REPEATS)
    return oracle.each(one)(params, keys)


loop = asyncio.new_event_loop()


@functools.cache
def producer():
    async def start():
        started = aiokafka.AIOKafkaProducer(bootstrap_servers=os.environ["KAFKA_BOOTSTRAP"])
        await started.start()
        return started
    return loop.run_until_complete(start())


async def deliver(topic, records):
    async def attempt(awaitable):
        try:
            return await asyncio.wait_for(awaitable, oracle.DELIVERY_SECONDS)
        except MessageSizeTooLargeError as failure:
            return oracle.rejected(oracle.reason(failure))
        except Exception as failure:
            return oracle.error("delivery: %s" % oracle.reason(failure))

    sent = [await attempt(producer().send(topic, value=value, key=key)) for key, value in records]
    delivered = [one if isinstance(one, dict) else await attempt(one) for one in sent]
    return [one if isinstance(one, dict) else None for one in delivered]


def send(topic, records):
    """By one producer with default settings."""
    producer()
    return loop.run_until_complete(deliver(topic, records))


oracle.serve("aiokafka", aiokafka.__version__, {"kafka/kafka-python": place},
             producers={"kafka/kafka-python": oracle.Producer(send)})
if producer.cache_info().currsize:
    loop.run_until_complete(producer().stop())
