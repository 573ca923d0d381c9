/** A test that shows a promise or an invariant. */
export type Evidence = { readonly id: string; readonly path: string; readonly title: string }

export type Spec = {
  /** Each promise with the invariants that make it. */
  readonly promises: ReadonlyMap<string, readonly string[]>
  readonly invariants: readonly Evidence[]
  /** Tests that try to break the promises in the whole product. */
  readonly trials: readonly Evidence[]
  /** Rows that say nothing in the form of their table. */
  readonly unread: readonly string[]
}

const PROMISE = /^\| (P\d+) \| [^|]+ \| (I\d+(?:, I\d+)*) \|$/
const TRIAL = /^\| (P\d+) \| `([^`]+)`: ([^|]+) \|$/
const INVARIANT = /^\| (I\d+) \| [^|]+ \| `([^`]+)`: ([^|]+) \|$/

/** Reads the tables of `docs/SPEC.md` between its first two headings and `## States`. */
export function readSpec(text: string): Spec {
  const promises = new Map<string, readonly string[]>()
  const invariants: Evidence[] = []
  const trials: Evidence[] = []
  const unread: string[] = []
  const tables = text.slice(text.indexOf('\n## Promises\n'), text.indexOf('\n## States\n'))
  for (const line of tables.split('\n')) {
    if (!line.startsWith('|') || /^\| (?:#|---) \|/.test(line)) continue
    const [, promise, makers] = PROMISE.exec(line) ?? []
    const trial = evidenceOf(TRIAL.exec(line))
    const invariant = evidenceOf(INVARIANT.exec(line))
    if (trial !== undefined) trials.push(trial)
    else if (invariant !== undefined) invariants.push(invariant)
    else if (promise === undefined || makers === undefined || promises.has(promise))
      unread.push(line)
    else promises.set(promise, makers.split(', '))
  }
  return { promises, invariants, trials, unread }
}

function evidenceOf(match: RegExpExecArray | null): Evidence | undefined {
  const [, id, path, title] = match ?? []
  return id === undefined || path === undefined || title === undefined
    ? undefined
    : { id, path, title }
}
