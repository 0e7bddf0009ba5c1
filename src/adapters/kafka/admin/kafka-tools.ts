import type { TopicTools } from '../../log-rules/topic-tools.ts'

/** Topics of Kafka are changed with its own tools. */
export const KAFKA_TOOLS: TopicTools = {
  settings: '`kafka-configs.sh --alter`',
  partitions: '`kafka-topics.sh --alter`',
}
