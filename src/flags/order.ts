/** Dependencies among `count` nodes, each before its dependents. */
export type DependencyOrder = {
  /** Every node once; members of a cycle in any order. */
  readonly order: readonly number[]
  /** 1 for nodes that depend on themselves, directly or not. */
  readonly inCycle: Uint8Array
}

/**
 * Tarjan's strongly connected components, with a stack of its own: a chain of stored flags may be
 * longer than the call stack is deep.
 */
export function dependencyOrder(
  count: number,
  dependenciesOf: (node: number) => readonly number[],
): DependencyOrder {
  const state: State = {
    dependenciesOf,
    index: new Int32Array(count).fill(UNSEEN),
    low: new Int32Array(count),
    open: new Uint8Array(count),
    inCycle: new Uint8Array(count),
    path: [],
    order: [],
    seen: 0,
  }
  for (let node = 0; node < count; node++) {
    if (state.index[node] === UNSEEN) visit(node, state)
  }
  return { order: state.order, inCycle: state.inCycle }
}

const UNSEEN = -1

type State = {
  readonly dependenciesOf: (node: number) => readonly number[]
  /** Order of discovery, and the earliest discovered node that is reachable and still open. */
  readonly index: Int32Array
  readonly low: Int32Array
  readonly open: Uint8Array
  readonly inCycle: Uint8Array
  readonly path: number[]
  readonly order: number[]
  seen: number
}

type Frame = { readonly node: number; readonly dependencies: readonly number[]; next: number }

function visit(root: number, state: State): void {
  const frames: Frame[] = [enter(root, state)]
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const dependency = frame.dependencies[frame.next]
    if (dependency === undefined) {
      frames.pop()
      close(frame, state)
      const parent = frames.at(-1)
      if (parent !== undefined) lower(parent.node, state.low[frame.node] ?? 0, state)
      continue
    }
    frame.next++
    if (dependency === frame.node) state.inCycle[dependency] = 1
    if (state.index[dependency] === UNSEEN) frames.push(enter(dependency, state))
    else if (state.open[dependency] === 1) lower(frame.node, state.index[dependency] ?? 0, state)
  }
}

function enter(node: number, state: State): Frame {
  state.index[node] = state.seen
  state.low[node] = state.seen
  state.seen++
  state.open[node] = 1
  state.path.push(node)
  return { node, dependencies: state.dependenciesOf(node), next: 0 }
}

function lower(node: number, bound: number, state: State): void {
  state.low[node] = Math.min(state.low[node] ?? 0, bound)
}

/** The first discovered node of a component takes the whole of it off the path. */
function close({ node }: Frame, state: State): void {
  if (state.low[node] !== state.index[node]) return
  const members = state.path.splice(state.path.lastIndexOf(node))
  for (const member of members) {
    state.open[member] = 0
    if (members.length > 1) state.inCycle[member] = 1
    state.order.push(member)
  }
}
