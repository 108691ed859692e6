import java.util.Properties;

/**
 * What is asked: the name under which the service is reported, the function that its configuration selects (`keyfall
 * schemes` lists them), and that configuration, without the brokers and serializers. Put your service's own here.
 */
final class Service {
    static final String NAME = "java-service";
    static final String SCHEME = "kafka/java";

    static Properties producer() {
        return new Properties(); // its default is murmur2 for records that have a key
    }
}
