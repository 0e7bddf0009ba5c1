/** Names one commit. Tokens are compared by `id`; `seq` is the parent's plus 1, `parent` is null for the very first. */
export interface Token {
  readonly seq: number
  readonly id: string
  readonly parent: string | null
}
