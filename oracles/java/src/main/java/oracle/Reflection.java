package oracle;

import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

/** Calls what is private in a client, or was moved between its versions. */
public final class Reflection {
    private Reflection() {}

    public static boolean exists(String type) {
        try {
            Class.forName(type, false, Reflection.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    public static boolean has(Class<?> type, String method) {
        return Arrays.stream(type.getDeclaredMethods()).anyMatch(declared -> declared.getName().equals(method));
    }

    /** A method found by name and arguments, with its own exception. */
    public static Object call(Object object, String name, Object... arguments) throws Exception {
        return call(object.getClass(), object, name, arguments);
    }

    public static Object callStatic(Class<?> type, String name, Object... arguments) throws Exception {
        return call(type, null, name, arguments);
    }

    private static Object call(Class<?> type, Object object, String name, Object[] arguments) throws Exception {
        for (Class<?> level = type; level != null; level = level.getSuperclass()) {
            for (Method method : level.getDeclaredMethods()) {
                if (method.getName().equals(name) && !method.isSynthetic() && takes(method, arguments)) {
                    method.setAccessible(true);
                    try {
                        return method.invoke(object, arguments);
                    } catch (InvocationTargetException e) {
                        if (e.getCause() instanceof Error error) {
                            throw error;
                        }
                        throw (Exception) e.getCause();
                    }
                }
            }
        }
        throw new NoSuchMethodException(type.getName() + "." + name);
    }

    private static boolean takes(Method method, Object[] arguments) {
        Class<?>[] types = method.getParameterTypes();
        if (types.length != arguments.length) {
            return false;
        }
        for (int i = 0; i < types.length; i++) {
            if (arguments[i] == null ? types[i].isPrimitive() : !boxed(types[i]).isInstance(arguments[i])) {
                return false;
            }
        }
        return true;
    }

    private static Class<?> boxed(Class<?> type) {
        return MethodType.methodType(type).wrap().returnType();
    }
}
