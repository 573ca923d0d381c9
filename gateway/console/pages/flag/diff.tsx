import type { Json } from '../../../client/index.ts'
import { isRecord } from '../../data/json.ts'
import { setsOf, shownOf, variantsOf } from './model.ts'
import { type Names, setText } from './sentence.ts'

export type Change = { readonly field: string; readonly before: Json; readonly after: Json }

type DiffProps = {
  readonly changes: readonly Change[]
  readonly names?: Names
  /** @default the name in words */
  readonly titleOf?: (field: string) => string
}

/** Changes by field; those of filters as sentences. */
export function Diff({ changes, names, titleOf = inWords }: DiffProps) {
  return (
    <ul class="diff">
      {linesOf(changes, names).map(({ field, before, after }, at) => (
        <li key={at}>
          <span class="diff-field">{titleOf(field)}</span>
          {before !== '' && <del>{before}</del>}
          {after !== '' && <ins>{after}</ins>}
        </li>
      ))}
    </ul>
  )
}

/** `last_used_at` as `Last used at`. */
function inWords(field: string): string {
  const words = field.replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
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
    field: `condition set ${at + 1}`,
    before: old[at] ?? '',
    after: young[at] ?? '',
  }))
  const split = { field: 'variants', before: splitText(before), after: splitText(after) }
  return [...sets, split, ...otherMembers(before, after)]
}

function sentences(filters: Json, names: Names | undefined): readonly string[] {
  return setsOf(filters).map((set) => setText(filters, set, names))
}

/** `control 50 %, test 50 %`. */
function splitText(filters: Json): string {
  return variantsOf(filters)
    .map(({ key, share }) => `${shownOf(key)} ${share} %`)
    .join(', ')
}

/** Changes in members other than condition sets and shares of variants, such as payloads. */
function otherMembers(before: Json, after: Json): readonly Line[] {
  const old = isRecord(before) ? before : {}
  const young = isRecord(after) ? after : {}
  const fields = [...new Set([...Object.keys(old), ...Object.keys(young)])]
  return fields
    .filter((field) => field !== 'groups' && field !== 'multivariate')
    .map((field) => ({ field, before: shownOf(old[field]), after: shownOf(young[field]) }))
}
