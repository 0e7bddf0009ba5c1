/** A fenced block of a page. */
export interface CodeBlock {
  readonly language: string
  readonly text: string
  /** The line of its fence, from 1. */
  readonly line: number
}

/** The fenced blocks of a page in Markdown, in order. Throws for a fence that is not closed. */
export function codeBlocks(markdown: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = []
  let open: { readonly language: string; readonly line: number; readonly lines: string[] } | null = null
  for (const [index, line] of markdown.split('\n').entries()) {
    const language = /^```(.*)$/.exec(line)?.[1]
    if (language === undefined) {
      open?.lines.push(line)
    } else if (open === null) {
      open = { language, line: index + 1, lines: [] }
    } else {
      blocks.push({ language: open.language, line: open.line, text: open.lines.join('\n') })
      open = null
    }
  }
  if (open !== null) throw new Error(`the block of line ${open.line} is not closed`)
  return blocks
}
