package oracle;

/** What an oracle adds to the protocol: scheme and params in, a function over keys out. */
@FunctionalInterface
public interface Adapter {
    /**
     * Binds a scheme to its params, once for each place command. {@link Skip} answers "skipped", any other exception
     * "error".
     */
    Placer bind(String scheme, Params params) throws Exception;

    /** An exception is the outcome "error": where the client's own exception rejects the key, the adapter says so. */
    @FunctionalInterface
    interface Placer {
        Outcome place(Key key) throws Exception;
    }

    /** This source cannot be asked this question at all. */
    final class Skip extends Exception {
        public Skip(String why) {
            super(why);
        }
    }
}
