import { INNER, LAYERS, type Layer, layerOf, OUTSIDE } from '../layers.ts'

/** The layer table as `src/ARCHITECTURE.md` shows it. */
export function layerTable(): string {
  const rows = LAYERS.map((layer) => `| ${cells(layer).join(' | ')} |`)
  return ['| layer | imports | is | must not |', '|---|---|---|---|', ...rows].join('\n')
}

function cells({ name, imports, node = [], edge = false, does, never }: Layer): readonly string[] {
  const from = [
    ...folded(imports),
    ...node.map((module) => `node:${module}`),
    ...(edge ? ['all of Node'] : []),
    ...Object.keys(OUTSIDE).filter((dependency) => layerOf(`src/${OUTSIDE[dependency]}/x.ts`)?.name === name),
  ]
  return [`\`${name}\``, from.length === 0 ? 'nothing' : from.join(', '), does, never]
}

/** The inner layers in three words, where all of them are meant. */
function folded(imports: readonly string[]): readonly string[] {
  if (!INNER.every((inner) => imports.includes(inner))) return imports
  return [`${INNER[0]} to ${INNER.at(-1)}`, ...imports.filter((name) => !INNER.includes(name))]
}
