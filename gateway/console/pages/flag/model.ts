/** Filters of a flag as the page edits them. Unknown members are kept. */
import type { Json } from '../../../client/index.ts'
import { isolated } from '../../data/format.ts'
import { isRecord, type JsonRecord } from '../../data/json.ts'

export type Variant = { readonly key: string; readonly share: number }

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []
}

function recordOf(value: Json | undefined): JsonRecord {
  return isRecord(value) ? value : {}
}

export function setsOf(filters: Json): readonly JsonRecord[] {
  return listOf(recordOf(filters)['groups']).map(recordOf)
}

export function propertiesOf(set: JsonRecord): readonly JsonRecord[] {
  return listOf(set['properties']).map(recordOf)
}

/** Rollout in percent; 100 for a set without one. */
export function rolloutOf(set: JsonRecord): number {
  const rollout = set['rollout_percentage']
  return typeof rollout === 'number' ? rollout : 100
}

export function variantsOf(filters: Json): readonly Variant[] {
  const { multivariate } = recordOf(filters)
  return listOf(recordOf(multivariate)['variants'])
    .map(recordOf)
    .map(({ key, rollout_percentage: share }) => ({
      key: String(key),
      share: typeof share === 'number' ? share : 0,
    }))
}

/** Replaces keys and shares of the variants; their other members are kept by position. */
export function withVariants(filters: Json, variants: readonly Variant[]): JsonRecord {
  const root = recordOf(filters)
  if (variants.length === 0) return { ...root, multivariate: null }
  const multivariate = recordOf(root['multivariate'])
  const stored = listOf(multivariate['variants']).map(recordOf)
  const next = variants.map(({ key, share }) => ({
    ...(stored.find((each) => each['key'] === key) ?? {}),
    key,
    rollout_percentage: share,
  }))
  return { ...root, multivariate: { ...multivariate, variants: next } }
}

/** Adds a variant. Shares that are even stay even; others stay, and it gets what is left. */
export function withVariant(variants: readonly Variant[], key: string): readonly Variant[] {
  const sum = variants.reduce((total, { share }) => total + share, 0)
  const isEven = evenly(variants).every(({ share }, at) => share === variants[at]?.share)
  const next = [...variants, { key, share: Math.max(0, 100 - sum) }]
  return isEven ? evenly(next) : next
}

/** Even shares of two decimals that add up to 100; the first has the rest. */
export function evenly(variants: readonly Variant[]): readonly Variant[] {
  const share = Math.floor(10_000 / variants.length) / 100
  const first = Math.round((100 - share * (variants.length - 1)) * 100) / 100
  return variants.map(({ key }, at) => ({ key, share: at === 0 ? first : share }))
}

/** Sets a payload; an empty text removes it. */
export function withPayload(filters: Json, outcome: string, text: string): JsonRecord {
  const root = recordOf(filters)
  const { [outcome]: _old, ...others } = recordOf(root['payloads'])
  return { ...root, payloads: text === '' ? others : { ...others, [outcome]: text } }
}

export function groupIndexOf(filters: Json, set: JsonRecord = {}): number | undefined {
  const own = set['aggregation_group_type_index']
  const index = own === undefined ? recordOf(filters)['aggregation_group_type_index'] : own
  return typeof index === 'number' ? index : undefined
}

export function withSets(filters: Json, sets: readonly JsonRecord[]): JsonRecord {
  return { ...recordOf(filters), groups: sets }
}

export function withSet(filters: Json, at: number, set: JsonRecord): JsonRecord {
  return withSets(
    filters,
    setsOf(filters).map((each, index) => (index === at ? set : each)),
  )
}

/** Moves the set at index `from` to `to`. */
export function moved(filters: Json, from: number, to: number): JsonRecord {
  const sets = [...setsOf(filters)]
  const [set] = sets.splice(from, 1)
  if (set !== undefined) sets.splice(to, 0, set)
  return withSets(filters, sets)
}

/** Index of the first set that matches everybody, so that no later set is reached. */
export function closingSet(filters: Json): number | undefined {
  const at = setsOf(filters).findIndex(
    (set) =>
      propertiesOf(set).length === 0 &&
      rolloutOf(set) >= 100 &&
      groupIndexOf(filters, set) === undefined,
  )
  return at === -1 ? undefined : at
}

/** A JSON value as a field shows it: lists are separated by commas. */
export function textOf(value: Json | undefined): string {
  if (Array.isArray(value)) return value.map((item: Json) => textOf(item)).join(', ')
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const JSON_TEXTS = /"(?:[^"\\]|\\.)*"/g

/** The same for display: each text is isolated, whatever its writing direction. */
export function shownOf(value: Json | undefined): string {
  if (Array.isArray(value)) return value.map((item: Json) => shownOf(item)).join(', ')
  if (typeof value === 'string') return isolated(value)
  return textOf(value).replace(JSON_TEXTS, (text) => isolated(text))
}

/** Value of a typed text: commas separate a list where the operator takes one. */
export function typedValue(text: string, operator: string): Json {
  const takesList = /^(?:exact|is_not|.*_multi|between|not_between)$/.test(operator)
  if (!takesList || !text.includes(',')) return text
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
