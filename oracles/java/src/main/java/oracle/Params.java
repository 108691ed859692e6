package oracle;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Set;

/** The params of one place command. A param that nothing read is an error: no answer may rest on half of the question. */
public final class Params {
    private final JsonObject json;
    private final Set<String> unread;

    Params(JsonObject json) {
        this.json = json;
        this.unread = new HashSet<>(json.keySet());
    }

    public int integer(String name) {
        return optionalInteger(name).orElseThrow(() -> new IllegalArgumentException("param " + name + " is missing"));
    }

    public OptionalInt optionalInteger(String name) {
        unread.remove(name);
        JsonElement value = json.get(name);
        if (value == null) {
            return OptionalInt.empty();
        }
        if (value instanceof JsonPrimitive number && number.isNumber()) {
            try {
                return OptionalInt.of(number.getAsBigDecimal().intValueExact());
            } catch (ArithmeticException e) {
                throw new IllegalArgumentException("param " + name + " is no 32-bit integer: " + value);
            }
        }
        throw new IllegalArgumentException("param " + name + " is no number: " + value);
    }

    public boolean flag(String name) {
        unread.remove(name);
        JsonElement value = json.get(name);
        if (value == null) {
            return false;
        }
        if (value instanceof JsonPrimitive flag && flag.isBoolean()) {
            return flag.getAsBoolean();
        }
        throw new IllegalArgumentException("param " + name + " is neither true nor false: " + value);
    }

    void checkAllRead() {
        if (!unread.isEmpty()) {
            throw new IllegalArgumentException("unknown params: " + unread);
        }
    }
}
