import type { Operator, Process, ProcessorHooks, TaskContext, TimedOperator } from '../../operators/operator.ts'
import { operatorOf } from '../../operators/registry.ts'
import type { Step } from '../../operators/step.ts'
import type { Node } from '../../topology/nodes.ts'
import { forwardTo } from './forward.ts'
import type { Graph } from './graph.ts'

/** The operators of one sub-topology for one task. */
export interface WiredPart {
  /** What takes the records of a source, or of an exchange behind it, by node id. */
  readonly inputs: ReadonlyMap<number, Process>
  /** By node id, in ascending order. */
  readonly timed: ReadonlyMap<number, TimedOperator>
  /** Of the user's processors, by node id in ascending order. */
  readonly processors: readonly ProcessorHooks[]
  readonly hooksOf: ReadonlyMap<number, ProcessorHooks>
}

/** Makes the operators of part number `part`, children first. */
export function wirePart(graph: Graph, part: number, context: TaskContext): WiredPart {
  const nodes = graph.parts[part] ?? []
  const operators = new Map<number, Operator>()
  const inputs = new Map<number, Process>()
  const timed: [number, TimedOperator][] = []
  const processors: [number, ProcessorHooks][] = []
  for (const node of [...nodes].reverse()) {
    if (node.kind === 'exchange') {
      inputs.set(node.id, ways(graph, node, operators, context).forward)
      continue
    }
    const operator = makeOperator(graph, node, operators, context)
    if (node.parents.length === 0) inputs.set(node.id, operator.process)
    if (operator.timed !== undefined) timed.unshift([node.id, operator.timed])
    if (operator.processor !== undefined) processors.unshift([node.id, operator.processor])
  }
  const hooks = processors.map(([, each]) => each)
  return { inputs, timed: new Map(timed), processors: hooks, hooksOf: new Map(processors) }
}

function makeOperator(graph: Graph, node: Node, operators: Map<number, Operator>, context: TaskContext): Operator {
  const { needs, nodes } = graph
  const operator = operatorOf(node, {
    context,
    ...ways(graph, node, operators, context),
    sendsOld: needs.sendsOld[node.id] === true,
    rawKey: needs.rawKeyIn[node.id] ?? null,
    rawValue: needs.rawValueIn[node.id] ?? null,
    nodes,
  })
  operators.set(node.id, operator)
  return operator
}

/** The ways out of a node. Those into an exchange of another part get their operator here, where they are met first. */
function ways(
  graph: Graph,
  node: Node,
  operators: Map<number, Operator>,
  context: TaskContext,
): Pick<Step, 'forward' | 'late' | 'branches'> {
  const children: Process[] = []
  const late: Process[] = []
  const branches: (Process | null)[] = []
  for (const { child, index } of graph.edges[node.id] ?? []) {
    const childNode = graph.nodes[child]
    if (childNode === undefined) throw new Error(`there is no node ${child}`)
    const operator = operators.get(child) ?? makeExchange(graph, childNode, operators, context)
    const process = operator.inputs === undefined ? operator.process : operator.inputs[index]
    if (process === undefined) throw new Error(`node ${childNode.name} takes no records from its parent ${index}`)
    if (childNode.kind === 'late') late.push(process)
    else if (childNode.kind === 'branch') branches[childNode.branch] = process
    else children.push(process)
  }
  return { forward: forwardTo(children), late: late.length === 0 ? null : forwardTo(late), branches }
}

function makeExchange(graph: Graph, node: Node, operators: Map<number, Operator>, context: TaskContext): Operator {
  if (node.kind !== 'exchange') throw new Error(`node ${node.name} is in another part than its parent`)
  const { needs, nodes } = graph
  const operator = operatorOf(node, {
    context,
    forward: forwardTo([]),
    late: null,
    branches: [],
    sendsOld: false,
    rawKey: needs.rawKeyIn[node.id] ?? null,
    rawValue: needs.rawValueIn[node.id] ?? null,
    nodes,
  })
  operators.set(node.id, operator)
  return operator
}
