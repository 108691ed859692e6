package oracle;

import com.google.gson.JsonObject;

/** An OUTCOME of the protocol. */
public record Outcome(String outcome, Object place, String hash, String why) {
    public static Outcome placed(int place, String hash) {
        return new Outcome("placed", place, hash, null);
    }

    /** For a unit that can pass 2^53. */
    public static Outcome placed(String place, String hash) {
        return new Outcome("placed", place, hash, null);
    }

    public static Outcome unpinned(String why) {
        return new Outcome("unpinned", null, null, why);
    }

    /** Written to a broker, in answer to "produce". */
    static Outcome produced() {
        return new Outcome("produced", null, null, null);
    }

    /** The client or server does not take this key. */
    public static Outcome rejected(String why) {
        return new Outcome("rejected", null, null, why);
    }

    public static Outcome rejected(Throwable why) {
        return rejected(why.getMessage() == null ? why.getClass().getName() : why.getMessage());
    }

    /** Nobody outside can compute it. */
    public static Outcome refused(String why) {
        return new Outcome("refused", null, null, why);
    }

    /** This adapter has no way to hand this key to the client: nothing is said about it. */
    public static Outcome error(String why) {
        return new Outcome("error", null, null, why);
    }

    JsonObject encode() {
        JsonObject json = new JsonObject();
        json.addProperty("outcome", outcome);
        if (place instanceof Number number) {
            json.addProperty("place", number);
        } else if (place != null) {
            json.addProperty("place", (String) place);
        }
        if (hash != null) {
            json.addProperty("hash", hash);
        }
        if (why != null) {
            json.addProperty("why", why);
        }
        return json;
    }
}
