import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.kstream.SessionWindowedDeserializer;
import org.apache.kafka.streams.kstream.SessionWindowedSerializer;
import org.apache.kafka.streams.kstream.TimeWindowedDeserializer;
import org.apache.kafka.streams.kstream.TimeWindowedSerializer;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.kstream.internals.SessionWindow;
import org.apache.kafka.streams.kstream.internals.TimeWindow;
import org.apache.kafka.streams.kstream.internals.WindowedSerializer;
import org.apache.kafka.streams.kstream.internals.WindowedStreamPartitioner;

/**
 * Windowed keys, by Kafka Streams' own serdes and the Java client: BOOTSTRAP. Each line of stdin is a command in JSON, done
 * before the next one, about `topic`, whose windows are of the kind `time`, with a `size`, or `session`, and whose keys are
 * `inner`: string, long, integer, bytes (in hex) or json.
 *   read    prints a line of JSON for each committed record: partition, key, start, end, value in hex, and the partition
 *           that Kafka Streams' partitioner would choose
 *   write   its `windows`: partition, key, start and end of each; the value is one byte
 */
public final class Windows<K> {
  private static final ObjectMapper JSON = new ObjectMapper();
  // what the console's encoding is does not matter then
  private static final ObjectWriter PRINTED = JSON.writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);
  private static String bootstrap;

  private final String topic;
  private final boolean session;
  private final long size;
  private final Inner<K> inner;

  private Windows(JsonNode command, Inner<K> inner) {
    this.topic = command.get("topic").asText();
    this.session = command.get("kind").asText().equals("session");
    this.size = command.path("size").asLong();
    this.inner = inner;
  }

  /** The serde of the keys, and how they are said in JSON. */
  private interface Inner<K> {
    Serde<K> serde();

    K from(JsonNode json);

    Object shown(K key);
  }

  public static void main(String[] args) throws Exception {
    bootstrap = args[0];
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      JsonNode command = JSON.readTree(line);
      Windows<?> windows = new Windows<>(command, innerOf(command.get("inner").asText()));
      if (command.get("do").asText().equals("read")) windows.read();
      else windows.write(command.get("windows"));
    }
  }

  private void read() throws Exception {
    Map<String, Object> settings = Map.of("bootstrap.servers", bootstrap, "isolation.level", "read_committed");
    Deserializer<K> of = inner.serde().deserializer();
    Deserializer<Windowed<K>> keys =
        session ? new SessionWindowedDeserializer<>(of) : new TimeWindowedDeserializer<>(of, size);
    try (KafkaConsumer<Windowed<K>, byte[]> consumer =
        new KafkaConsumer<>(settings, keys, new ByteArrayDeserializer())) {
      List<TopicPartition> all =
          consumer.partitionsFor(topic).stream().map((each) -> new TopicPartition(topic, each.partition())).toList();
      consumer.assign(all);
      consumer.seekToBeginning(all);
      Map<TopicPartition, Long> ends = consumer.endOffsets(all);
      while (all.stream().anyMatch((each) -> consumer.position(each) < ends.get(each))) {
        for (ConsumerRecord<Windowed<K>, byte[]> each : consumer.poll(Duration.ofMillis(100))) print(each, all.size());
      }
    }
  }

  private void print(ConsumerRecord<Windowed<K>, byte[]> each, int partitions) throws Exception {
    Windowed<K> key = each.key();
    Set<Integer> chosen =
        new WindowedStreamPartitioner<K, byte[]>((WindowedSerializer<K>) serializer())
            .partitions(topic, key, each.value(), partitions)
            .orElseThrow();
    ObjectNode line = JSON.createObjectNode();
    line.put("topic", topic).put("partition", each.partition()).put("offset", each.offset());
    line.set("key", JSON.valueToTree(inner.shown(key.key())));
    line.put("start", key.window().start()).put("end", key.window().end());
    line.put("value", each.value() == null ? null : HexFormat.of().formatHex(each.value()));
    line.put("chosen", chosen.iterator().next());
    System.out.println(PRINTED.writeValueAsString(line));
  }

  private void write(JsonNode windows) throws Exception {
    Map<String, Object> settings = Map.of("bootstrap.servers", bootstrap);
    try (KafkaProducer<Windowed<K>, byte[]> producer =
        new KafkaProducer<>(settings, serializer(), new ByteArraySerializer())) {
      for (JsonNode each : windows) {
        long start = each.get("start").asLong();
        long end = each.get("end").asLong();
        K key = inner.from(each.get("key"));
        Windowed<K> window = new Windowed<>(key, session ? new SessionWindow(start, end) : new TimeWindow(start, end));
        int partition = each.get("partition").asInt();
        producer.send(new ProducerRecord<>(topic, partition, start, window, new byte[] {'1'})).get();
      }
    }
  }

  private Serializer<Windowed<K>> serializer() {
    Serializer<K> of = inner.serde().serializer();
    return session ? new SessionWindowedSerializer<>(of) : new TimeWindowedSerializer<>(of);
  }

  private static Inner<?> innerOf(String name) {
    return switch (name) {
      case "string" -> inner(Serdes.String(), JsonNode::asText, (key) -> key);
      case "long" -> inner(Serdes.Long(), (json) -> Long.parseLong(json.asText()), String::valueOf);
      case "integer" -> inner(Serdes.Integer(), JsonNode::asInt, (key) -> key);
      case "bytes" ->
          inner(
              Serdes.Bytes(),
              (json) -> Bytes.wrap(HexFormat.of().parseHex(json.asText())),
              (key) -> HexFormat.of().formatHex(key.get()));
      case "json" -> inner(Serdes.serdeFrom(Windows::writeJson, Windows::readJson), (json) -> json, (key) -> key);
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static <K> Inner<K> inner(
      Serde<K> serde, Function<JsonNode, K> from, Function<K, Object> shown) {
    return new Inner<>() {
      public Serde<K> serde() {
        return serde;
      }

      public K from(JsonNode json) {
        return from.apply(json);
      }

      public Object shown(K key) {
        return shown.apply(key);
      }
    };
  }

  private static byte[] writeJson(String topic, JsonNode json) {
    try {
      return JSON.writeValueAsBytes(json);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  private static JsonNode readJson(String topic, byte[] bytes) {
    try {
      return JSON.readTree(bytes);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
