import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The Java client, told what to write: BOOTSTRAP TOPIC. Each line of stdin is a command, each done before the next one:
 *   send PRODUCER CODEC TIMESTAMP KEY VALUE   in partition 0, acknowledged; a producer whose name begins with T opens a
 *                                             transaction of its own if it has none
 *   commit PRODUCER | abort PRODUCER          the marker comes a little later
 *   await OFFSET                              until the log ends there
 */
public final class Writer {
  private final Map<String, KafkaProducer<byte[], byte[]>> producers = new HashMap<>();
  private final Map<String, Boolean> open = new HashMap<>();
  private final String bootstrap;
  private final String topic;

  private Writer(String bootstrap, String topic) {
    this.bootstrap = bootstrap;
    this.topic = topic;
  }

  public static void main(String[] args) throws Exception {
    Writer writer = new Writer(args[0], args[1]);
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) writer.run(line.split(" "));
    writer.producers.values().forEach(KafkaProducer::close);
  }

  private void run(String[] words) throws Exception {
    switch (words[0]) {
      case "send" -> send(words[1], words[2], Long.parseLong(words[3]), words[4], words[5]);
      case "commit" -> {
        producers.get(words[1]).commitTransaction();
        open.remove(words[1]);
      }
      case "abort" -> {
        producers.get(words[1]).abortTransaction();
        open.remove(words[1]);
      }
      case "await" -> await(Long.parseLong(words[1]));
      default -> throw new IllegalArgumentException(words[0]);
    }
  }

  private void send(String name, String codec, long timestamp, String key, String value) throws Exception {
    KafkaProducer<byte[], byte[]> producer = producers.computeIfAbsent(name, ignored -> make(name, codec));
    if (name.startsWith("T") && open.putIfAbsent(name, true) == null) producer.beginTransaction();
    producer.send(new ProducerRecord<>(topic, 0, timestamp, bytes(key), bytes(value))).get();
  }

  private void await(long end) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      TopicPartition partition = new TopicPartition(topic, 0);
      while (admin.listOffsets(Map.of(partition, OffsetSpec.latest())).partitionResult(partition).get().offset() < end)
        Thread.sleep(5);
    }
  }

  private KafkaProducer<byte[], byte[]> make(String name, String codec) {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", bootstrap);
    settings.put("compression.type", codec);
    settings.put("linger.ms", "0");
    boolean transactional = name.startsWith("T");
    if (transactional) settings.put("transactional.id", topic + "-" + name);
    KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    if (transactional) producer.initTransactions();
    return producer;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
