import { folderOf, type Layer, layerOf, OUTSIDE } from '../layers.ts'
import type { Import, SourceFile } from '../source-file.ts'
import type { Violation } from '../violation.ts'

/** Each import goes to a layer that the table allows, to the outside from the one folder that may, or to an allowed part of Node. */
export function layerViolations(files: readonly SourceFile[]): readonly Violation[] {
  return files.flatMap((file) => {
    const layer = layerOf(file.path)
    if (layer === undefined)
      return [{ path: file.path, line: 1, message: 'is in a folder that the layer table does not know' }]
    return file.imports.flatMap((imported) => {
      const message = objection(file, layer, imported)
      return message === undefined ? [] : [{ path: file.path, line: imported.line, message }]
    })
  })
}

function objection(file: SourceFile, layer: Layer, imported: Import): string | undefined {
  const { specifier, target } = imported
  if (target !== undefined) return objectionToLayer(file, layer, target)
  if (specifier === '') return layer.edge ? undefined : 'imports what it computes: only an edge may'
  if (specifier.startsWith('node:')) return objectionToNode(layer, imported)
  const home = OUTSIDE[packageOf(specifier)]
  if (home === undefined) return `${packageOf(specifier)} has no row in the table of outside dependencies`
  return home === folderOf(file.path) ? undefined : `${specifier} is imported from ${home} alone`
}

function objectionToLayer(file: SourceFile, layer: Layer, target: string): string | undefined {
  if (!target.startsWith('src/')) return `${target} is outside src`
  const from = folderOf(file.path)
  const to = folderOf(target)
  if (from === to || layer.imports.includes(layerOf(target)?.name ?? '')) return undefined
  return `${from} may not import ${to}`
}

function objectionToNode(layer: Layer, { specifier }: Import): string | undefined {
  if (layer.edge || layer.node?.includes(specifier.slice('node:'.length))) return undefined
  return `${layer.name} may not import ${specifier}`
}

/** `yargs` of `yargs/helpers`, `@node-rs/crc32` of itself. */
export function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}
