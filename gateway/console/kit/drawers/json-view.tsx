import { useState } from 'preact/hooks'
import type { Json } from '../../../client/index.ts'
import { cut, formatNumber } from '../../data/format.ts'
import { isRecord } from '../../data/json.ts'
import { Button } from '../button.tsx'
import { LongText } from '../long-text.tsx'
import { Name } from '../names/name.tsx'

type JsonViewProps = {
  readonly value: Json
  /** Levels that are open at first. */
  readonly open?: number
  /** Its members are properties, which have display names. */
  readonly isNamed?: boolean
}

/** JSON as a tree that opens and closes. Everything in it is text. */
export function JsonView({ value, open = 2, isNamed = false }: JsonViewProps) {
  return (
    <div class="json">
      <Node value={value} open={open} isNamed={isNamed} />
    </div>
  )
}

const LIST_SHOWN = 200
const GROWTH = 10
const NAME_CHARS_MAX = 400

type NodeProps = JsonViewProps & { readonly name?: string; readonly isProperty?: boolean }

function Node({ name, value, open, isNamed = false, isProperty = false }: NodeProps) {
  const [most, setMost] = useState(LIST_SHOWN)
  const label = name !== undefined && (
    <span class="json-name">
      {isProperty ? (
        <Name of={cut(name, NAME_CHARS_MAX)} />
      ) : (
        <bdi>{cut(name, NAME_CHARS_MAX)}</bdi>
      )}
      :{' '}
    </span>
  )
  const items = itemsOf(value)
  if (items === undefined) {
    return (
      <div>
        {label}
        <span class={`json-${value === null ? 'null' : typeof value}`}>
          <LongText text={textOf(value)} />
        </span>
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
  const shown = items.slice(0, most)
  return (
    <details open={(open ?? 0) > 0}>
      <summary>
        {label}
        <span class="json-size">
          {items.length} {Array.isArray(value) ? 'items' : 'keys'}
        </span>
      </summary>
      <div class="json-items">
        {shown.map(([key, item]) => (
          <Node key={key} name={key} value={item} open={(open ?? 0) - 1} isProperty={isNamed} />
        ))}
        {shown.length < items.length && (
          <Button tone="quiet" onClick={() => setMost(most * GROWTH)}>
            Show more of {formatNumber(items.length)}
          </Button>
        )}
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
