import java.util.Properties;

/** checkout: Java, the producer's defaults. */
final class Service {
    static final String NAME = "checkout";
    static final String SCHEME = "kafka/java";

    static Properties producer() {
        Properties properties = new Properties();
        properties.setProperty("linger.ms", "20");
        return properties;
    }
}
