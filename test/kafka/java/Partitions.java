import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The Java client writes records and leaves their partition to its default partitioner: BOOTSTRAP. Each line of stdin is a
 * topic and a key in hex, or nothing for an empty one; the partition is printed.
 */
public final class Partitions {
  public static void main(String[] args) throws Exception {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", args[0]);
    settings.put("key.serializer", ByteArraySerializer.class.getName());
    settings.put("value.serializer", ByteArraySerializer.class.getName());
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int space = line.indexOf(' ');
        byte[] key = HexFormat.of().parseHex(line.substring(space + 1));
        sent.add(producer.send(new ProducerRecord<>(line.substring(0, space), key, new byte[] {1})));
      }
      for (Future<RecordMetadata> each : sent) System.out.println(each.get().partition());
    }
  }
}
