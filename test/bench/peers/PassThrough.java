import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.*;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.*;
import org.apache.kafka.streams.*;

/** Kafka Streams, exactly once: passes on the events of less than fifty, and ends when it has read all that there were. */
public class PassThrough {
  public static void main(String[] args) throws Exception {
    String topic = System.getenv("TOPIC"), out = System.getenv("OUT_TOPIC");
    Properties p = new Properties();
    p.put("application.id", "pass-" + out);
    p.put("bootstrap.servers", System.getenv("BOOTSTRAP"));
    p.put("state.dir", System.getenv("STATE_DIR"));
    p.put("processing.guarantee", "exactly_once_v2");
    p.put("commit.interval.ms", "1000");
    p.put("auto.offset.reset", "earliest");
    p.put("default.key.serde", Serdes.StringSerde.class);
    p.put("default.value.serde", Serdes.StringSerde.class);

    ObjectMapper json = new ObjectMapper();
    LongAdder processed = new LongAdder();
    StreamsBuilder b = new StreamsBuilder();
    b.<String, String>stream(topic)
        .peek((k, v) -> processed.increment())
        .filter((k, v) -> amount(json, v) < 50)
        .to(out);
    long expected = records(p, topic);
    try (KafkaStreams streams = new KafkaStreams(b.build(), p)) {
      streams.start();
      while (processed.sum() < expected) {
        if (streams.state() == KafkaStreams.State.ERROR) System.exit(1);
        Thread.sleep(5);
      }
    } // close() commits what was processed
    System.exit(0);
  }

  static double amount(ObjectMapper json, String value) {
    try {
      return json.readTree(value).get("amount").asDouble();
    } catch (Exception e) {
      throw new RuntimeException(e);
    }
  }

  static long records(Properties p, String topic) throws Exception {
    try (Admin admin = Admin.create(p)) {
      Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
      for (var info : admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions())
        ends.put(new TopicPartition(topic, info.partition()), OffsetSpec.latest());
      return admin.listOffsets(ends).all().get().values().stream().mapToLong(e -> e.offset()).sum();
    }
  }
}
