import type { Json } from '../../../client/index.ts'
import { isRecord } from '../../data/json.ts'

type JsonViewProps = {
  readonly value: Json
  /** Levels that are open at first. */
  readonly open?: number
}

/** JSON as a tree that opens and closes. Everything in it is text. */
export function JsonView({ value, open = 2 }: JsonViewProps) {
  return (
    <div class="json">
      <Node value={value} open={open} />
    </div>
  )
}

const LIST_SHOWN_MAX = 200

function Node({ name, value, open }: JsonViewProps & { readonly name?: string }) {
  const label = name !== undefined && <span class="json-name">{name}: </span>
  const items = itemsOf(value)
  if (items === undefined) {
    return (
      <div>
        {label}
        <span class={`json-${value === null ? 'null' : typeof value}`}>{textOf(value)}</span>
      </div>
    )
  }
  const brackets = Array.isArray(value) ? '[ ]' : '{ }'
  if (items.length === 0) {
    return (
      <div>
        {label}
        {brackets}
      </div>
    )
  }
  const shown = items.slice(0, LIST_SHOWN_MAX)
  return (
    <details open={(open ?? 0) > 0}>
      <summary>
        {label}
        <span class="json-size">
          {items.length} {Array.isArray(value) ? 'items' : 'members'}
        </span>
      </summary>
      <div class="json-items">
        {shown.map(([key, item]) => (
          <Node key={key} name={key} value={item} open={(open ?? 0) - 1} />
        ))}
        {shown.length < items.length && <div>… {items.length - shown.length} more</div>}
      </div>
    </details>
  )
}

function itemsOf(value: Json): readonly (readonly [string, Json])[] | undefined {
  if (Array.isArray(value))
    return (value as readonly Json[]).map((item, index) => [`${index}`, item])
  return isRecord(value) ? Object.entries(value) : undefined
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : String(value)
}
