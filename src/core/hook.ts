/** Who is told when a run has ended: a command, which gets a JSON document on its stdin, or a URL that it is posted to. */
export type Hook = { readonly command: readonly string[] } | { readonly url: string }
