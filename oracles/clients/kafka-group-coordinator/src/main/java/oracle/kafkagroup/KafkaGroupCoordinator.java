package oracle.kafkagroup;

import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;
import oracle.Adapter;
import oracle.Key;
import oracle.Oracle;
import oracle.Outcome;
import oracle.Reflection;
import sun.reflect.ReflectionFactory;

/**
 * Asks the group coordinator of the Kafka broker, in process, which partition of __consumer_offsets holds a group.
 *
 * <p>4.x: a GroupCoordinatorService is started with so many partitions and with nothing around it. 3.x: partitionFor of the
 * GroupMetadataManager, written in Scala, made without its constructor, which wants a whole broker.
 */
public final class KafkaGroupCoordinator {
    private static final String SERVICE = "org.apache.kafka.coordinator.group.GroupCoordinatorService";
    private static final String MANAGER = "kafka.coordinator.group.GroupMetadataManager";

    public static void main(String[] args) {
        Oracle.claimStdout();
        Oracle.run("kafka-group-coordinator", args[0], List.of("kafka/group-coordinator"), (scheme, params) -> {
            int partitions = params.integer("partitions");
            if (partitions < 1) {
                throw new Adapter.Skip("partitions must be 1 or more");
            }
            Object coordinator = Reflection.exists(MANAGER) ? manager(partitions) : service(partitions);
            return key -> place(coordinator, key);
        });
    }

    private static Outcome place(Object coordinator, Key key) throws Exception {
        String group;
        if (key instanceof Key.Null) {
            group = null;
        } else if (key instanceof Key.Text text) {
            group = text.text();
        } else if (key instanceof Key.Typed typed && typed.type().equals("string")) {
            group = typed.value();
        } else {
            throw new IllegalArgumentException("a group id is text");
        }
        if (group != null && !StandardCharsets.UTF_8.newEncoder().canEncode(group)) {
            throw new IllegalArgumentException("a broker gets group ids as UTF-8, which has no lone surrogate");
        }
        try {
            int partition = (int) Reflection.call(coordinator, "partitionFor", group);
            return Outcome.placed(partition, Integer.toString(group.hashCode()));
        } catch (NullPointerException e) {
            return Outcome.rejected(e);
        }
    }

    private static Object service(int partitions) throws Exception {
        Constructor<?> constructor = Class.forName(SERVICE).getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        Class<?>[] types = constructor.getParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            arguments[i] = switch (types[i].getSimpleName()) {
                case "LogContext" -> types[i].getConstructor().newInstance();
                case "GroupCoordinatorConfig" -> Reflection.callStatic(types[i], "fromProps", Map.of());
                case "Optional" -> Optional.empty();
                default -> null;
            };
        }
        Object service = constructor.newInstance(arguments);
        Reflection.call(service, "startup", (IntSupplier) () -> partitions);
        return service;
    }

    private static Object manager(int partitions) throws Exception {
        Object manager = ReflectionFactory.getReflectionFactory()
                .newConstructorForSerialization(Class.forName(MANAGER), Object.class.getConstructor())
                .newInstance();
        Reflection.call(manager, "groupMetadataTopicPartitionCount_$eq", partitions);
        return manager;
    }
}
