import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The Java client writes records, acknowledged by all replicas: BOOTSTRAP TOPIC RECORDS VALUE. It prints the milliseconds
 * that this took, without its start.
 */
public final class Produce {
  public static void main(String[] args) throws Exception {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", args[0]);
    settings.put("batch.size", "65536");
    settings.put("linger.ms", "5");
    byte[] value = args[3].getBytes(StandardCharsets.UTF_8);
    int records = Integer.parseInt(args[2]);
    AtomicReference<Exception> failure = new AtomicReference<>();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      int partitions = producer.partitionsFor(args[1]).size();
      long started = System.nanoTime();
      for (int n = 0; n < records; n++) {
        byte[] key = ("user-" + n).getBytes(StandardCharsets.UTF_8);
        producer.send(new ProducerRecord<>(args[1], n % partitions, key, value), (sent, error) -> {
          if (error != null) failure.compareAndSet(null, error);
        });
      }
      producer.flush();
      if (failure.get() != null) throw failure.get();
      System.out.println((System.nanoTime() - started) / 1_000_000);
    }
  }
}
