import type { JobBuilder } from 'tidemark'

/** Compiled, and never built. */
export const building = (build: (builder: JobBuilder) => unknown): void => void build
