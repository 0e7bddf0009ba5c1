import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The Java client reads all that is committed of some topics: BOOTSTRAP TOPIC... It prints a line of JSON for each record,
 * with its bytes in hex.
 */
public final class Reader {
  public static void main(String[] args) {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", args[0]);
    settings.put("isolation.level", "read_committed");
    settings.put("key.deserializer", ByteArrayDeserializer.class.getName());
    settings.put("value.deserializer", ByteArrayDeserializer.class.getName());
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings)) {
      for (int i = 1; i < args.length; i++) read(consumer, args[i]);
    }
  }

  private static void read(KafkaConsumer<byte[], byte[]> consumer, String topic) {
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream().map((p) -> new TopicPartition(topic, p.partition())).toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    while (partitions.stream().anyMatch((p) -> consumer.position(p) < ends.get(p))) {
      for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(100))) System.out.println(json(each));
    }
  }

  private static String json(ConsumerRecord<byte[], byte[]> each) {
    List<String> headers = new ArrayList<>();
    for (Header header : each.headers()) {
      headers.add("[" + hex(header.key().getBytes(StandardCharsets.UTF_8)) + "," + hex(header.value()) + "]");
    }
    return String.format(
        "{\"topic\":\"%s\",\"partition\":%d,\"offset\":%d,\"timestamp\":%d,\"key\":%s,\"value\":%s,\"headers\":[%s]}",
        each.topic(), each.partition(), each.offset(), each.timestamp(), hex(each.key()), hex(each.value()),
        String.join(",", headers));
  }

  private static String hex(byte[] bytes) {
    return bytes == null ? "null" : '"' + HexFormat.of().formatHex(bytes) + '"';
  }
}
