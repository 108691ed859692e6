package oracle;

import java.util.Optional;
import java.util.concurrent.Callable;

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

    /**
     * Writes to the broker at KAFKA_BOOTSTRAP. With it an adapter also answers "produce", by which servers/kafka makes the
     * client write to a running broker: its README.md.
     */
    @FunctionalInterface
    interface Producer {
        Sender bind(String scheme, Params params, String topic) throws Exception;

        /** Starts to write a record. What it returns waits for the broker, and gives an outcome where it has no record. */
        @FunctionalInterface
        interface Sender {
            Callable<Optional<Outcome>> send(Key key, byte[] value) throws Exception;
        }
    }

    /** This source cannot be asked this question at all. */
    final class Skip extends Exception {
        public Skip(String why) {
            super(why);
        }
    }
}
