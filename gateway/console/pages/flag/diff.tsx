import type { Json } from '../../../client/index.ts'
import { isRecord } from '../../data/json.ts'
import { setsOf, shownOf } from './model.ts'
import { type Names, setText } from './sentence.ts'

export type Change = { readonly field: string; readonly before: Json; readonly after: Json }

/** Changes by field; those of filters as sentences. */
export function Diff({
  changes,
  names,
}: {
  readonly changes: readonly Change[]
  readonly names?: Names
}) {
  return (
    <ul class="diff">
      {linesOf(changes, names).map(({ field, before, after }, at) => (
        <li key={at}>
          <span class="diff-field">{field}</span>
          {before !== '' && <del>{before}</del>}
          {after !== '' && <ins>{after}</ins>}
        </li>
      ))}
    </ul>
  )
}

type Line = { readonly field: string; readonly before: string; readonly after: string }

function linesOf(changes: readonly Change[], names: Names | undefined): readonly Line[] {
  return changes
    .flatMap(({ field, before, after }) =>
      field === 'filters'
        ? linesOfFilters(before, after, names)
        : [{ field, before: shownOf(before), after: shownOf(after) }],
    )
    .filter((line) => line.before !== line.after)
}

function linesOfFilters(before: Json, after: Json, names: Names | undefined): readonly Line[] {
  const old = sentences(before, names)
  const young = sentences(after, names)
  const sets = Array.from({ length: Math.max(old.length, young.length) }, (_, at) => ({
    field: `set ${at + 1}`,
    before: old[at] ?? '',
    after: young[at] ?? '',
  }))
  return [...sets, ...otherMembers(before, after)]
}

function sentences(filters: Json, names: Names | undefined): readonly string[] {
  return setsOf(filters).map((set) => setText(filters, set, names))
}

/** Changes in members other than the condition sets, such as variants and payloads. */
function otherMembers(before: Json, after: Json): readonly Line[] {
  const old = isRecord(before) ? before : {}
  const young = isRecord(after) ? after : {}
  const fields = [...new Set([...Object.keys(old), ...Object.keys(young)])]
  return fields
    .filter((field) => field !== 'groups')
    .map((field) => ({ field, before: shownOf(old[field]), after: shownOf(young[field]) }))
}
