import java.util.*;
import java.util.concurrent.atomic.*;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.*;
import org.apache.kafka.streams.*;
import org.apache.kafka.streams.processor.StateRestoreListener;

/**
 * Kafka Streams, exactly once: counts by key. `load`: fills TOPIC with one record for each of KEYS keys. `count`: counts them.
 * `restore`, with an empty STATE_DIR: ends when the counts are there again, from the changelog, and says how many came.
 */
public class Restore {
  public static void main(String[] args) throws Exception {
    String topic = System.getenv("TOPIC");
    int keys = Integer.parseInt(System.getenv("KEYS"));
    Properties p = new Properties();
    p.put("application.id", "restore-" + topic);
    p.put("bootstrap.servers", System.getenv("BOOTSTRAP"));
    if (args[0].equals("load")) {
      load(p, topic, keys);
      return;
    }
    p.put("state.dir", System.getenv("STATE_DIR"));
    p.put("processing.guarantee", "exactly_once_v2");
    p.put("commit.interval.ms", "1000");
    p.put("replication.factor", 1);
    p.put("auto.offset.reset", "earliest");
    p.put("main.consumer.internal.leave.group.on.close", true); // else a restart waits for the old member's session
    p.put("default.key.serde", Serdes.StringSerde.class);
    p.put("default.value.serde", Serdes.StringSerde.class);

    LongAdder processed = new LongAdder();
    StreamsBuilder b = new StreamsBuilder();
    b.<String, String>stream(topic).peek((k, v) -> processed.increment()).groupByKey().count();
    LongAdder restored = new LongAdder();
    boolean counts = args[0].equals("count");
    try (KafkaStreams streams = new KafkaStreams(b.build(), p)) {
      streams.setGlobalStateRestoreListener(listener(restored));
      streams.start();
      while (counts ? processed.sum() < keys : streams.state() != KafkaStreams.State.RUNNING) {
        if (streams.state() == KafkaStreams.State.ERROR) System.exit(1);
        Thread.sleep(5);
      }
    } // close() commits what was processed
    System.out.println(restored.sum() + " restored");
    System.exit(counts || restored.sum() >= keys ? 0 : 1);
  }

  static StateRestoreListener listener(LongAdder restored) {
    return new StateRestoreListener() {
      public void onRestoreStart(TopicPartition partition, String store, long from, long to) {}
      public void onBatchRestored(TopicPartition partition, String store, long end, long records) {}
      public void onRestoreEnd(TopicPartition partition, String store, long records) { restored.add(records); }
    };
  }

  static void load(Properties p, String topic, int keys) throws Exception {
    try (Admin admin = Admin.create(p)) {
      admin.createTopics(List.of(new NewTopic(topic, 4, (short) 1))).all().get();
    }
    p.put("linger.ms", "20");
    try (Producer<String, String> producer = new KafkaProducer<>(p, new StringSerializer(), new StringSerializer())) {
      for (int i = 0; i < keys; i++) producer.send(new ProducerRecord<>(topic, "user-" + i, "{\"amount\":" + i % 100 + "}"));
    }
  }
}
