/** What people type to change a topic, for hints: it differs with the log. */
export interface TopicTools {
  readonly settings: string
  readonly partitions: string
}

export const EMBEDDED_TOOLS: TopicTools = { settings: '`tidemark log alter`', partitions: '`tidemark log alter`' }
