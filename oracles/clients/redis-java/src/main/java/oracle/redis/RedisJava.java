package oracle.redis;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.stream.Stream;
import oracle.Key;
import oracle.Oracle;
import oracle.Outcome;
import oracle.Reflection;
import sun.misc.Unsafe;

/**
 * In which slot Jedis, Lettuce and Redisson look for keys: the method that they call for the key of a command, found by
 * reflection, as it has moved between their versions.
 */
public final class RedisJava {
    /** The slot of a key, a String or a byte[]; what the client throws is a rejection. */
    @FunctionalInterface
    private interface Slots {
        int of(Object key) throws Exception;
    }

    public static void main(String[] args) throws Exception {
        Oracle.claimStdout();
        String client = args[0];
        String scheme = client.equals("redisson") ? "redis/redisson" : "redis/cluster";
        Slots slots = switch (client) {
            case "jedis" -> ofStatic("redis.clients.jedis.util.JedisClusterCRC16", "redis.clients.util.JedisClusterCRC16");
            case "lettuce" -> ofStatic("io.lettuce.core.cluster.SlotHash", "com.lambdaworks.redis.cluster.SlotHash");
            case "redisson" -> ofRedisson();
            default -> throw new IllegalArgumentException("no client " + client);
        };
        Oracle.run(client, args[1], List.of(scheme), (asked, params) -> key -> place(slots, key));
    }

    private static Outcome place(Slots slots, Key key) throws Exception {
        Object argument;
        if (key instanceof Key.Null) {
            argument = null;
        } else if (key instanceof Key.Bytes bytes) {
            argument = bytes.bytes();
        } else if (key instanceof Key.Text text) {
            argument = text.text();
        } else {
            throw new IllegalArgumentException("this client takes bytes and text");
        }
        try {
            return Outcome.placed(slots.of(argument), null);
        } catch (InvocationTargetException e) {
            return Outcome.rejected(e.getCause());
        }
    }

    private static Class<?> known(String... names) throws ClassNotFoundException {
        for (String name : names) {
            if (Reflection.exists(name)) {
                return Class.forName(name);
            }
        }
        throw new ClassNotFoundException(String.join(", ", names));
    }

    private static Slots ofStatic(String... names) throws Exception {
        Class<?> type = known(names);
        Method ofBytes = type.getMethod("getSlot", byte[].class);
        Method ofText = type.getMethod("getSlot", String.class);
        return key -> (int) (key instanceof String ? ofText : ofBytes).invoke(null, key);
    }

    /**
     * A ClusterConnectionManager without its constructor, which wants a cluster. The names of objects are Strings and, in
     * some commands, byte arrays.
     */
    private static Slots ofRedisson() throws Exception {
        Class<?> type =
                known("org.redisson.connection.ClusterConnectionManager", "org.redisson.cluster.ClusterConnectionManager");
        Object manager = without(type);
        for (Class<?> level = type; level != null; level = level.getSuperclass()) {
            for (Field field : level.getDeclaredFields()) {
                if (field.getType().getName().equals("org.slf4j.Logger") && !Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    field.set(manager, Reflection.callStatic(Class.forName("org.slf4j.LoggerFactory"), "getLogger", type.getName()));
                }
            }
        }
        Method ofBytes = type.getMethod("calcSlot", byte[].class);
        Method ofText = type.getMethod("calcSlot", String.class);
        return key -> {
            if (key == null) {
                return nameless();
            }
            return (int) (key instanceof String ? ofText : ofBytes).invoke(manager, key);
        };
    }

    /** An object without a name, where it is the name that Redisson is asked to take. */
    private static int nameless() throws Exception {
        Class<?> executor = known("org.redisson.command.CommandAsyncExecutor");
        Object any = Proxy.newProxyInstance(executor.getClassLoader(), new Class<?>[] {executor},
                (proxy, method, arguments) -> method.getReturnType().isInterface() || method.getReturnType().isPrimitive()
                        ? null : without(method.getReturnType()));
        Object codec = known("org.redisson.client.codec.ByteArrayCodec").getField("INSTANCE").get(null);
        for (Constructor<?> constructor : known("org.redisson.RedissonBucket").getDeclaredConstructors()) {
            Object[] arguments = Stream.of(constructor.getParameterTypes())
                    .map(type -> type.isInstance(codec) ? codec : type.isInstance(any) ? any : null)
                    .toArray();
            if (arguments.length == 3) {
                constructor.setAccessible(true);
                constructor.newInstance(arguments);
            }
        }
        throw new IllegalStateException("an object without a name was made");
    }

    private static Object without(Class<?> type) throws Exception {
        Field field = Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        return ((Unsafe) field.get(null)).allocateInstance(type);
    }

    private RedisJava() {}
}
