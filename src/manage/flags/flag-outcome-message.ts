/** Outcome of a flag, as a message. */
import type { FlagCondition } from '../../../proto/gen/sluice/v1/FlagCondition.ts'
import type { FlagConditionSet } from '../../../proto/gen/sluice/v1/FlagConditionSet.ts'
import type { FlagGate } from '../../../proto/gen/sluice/v1/FlagGate.ts'
import type { FlagOutcome } from '../../../proto/gen/sluice/v1/FlagOutcome.ts'
import { type Json, listOf, objectOf, own } from '../../core/json.ts'
import { exactDigits, exactJson } from '../../core/json-text/exact-numbers.ts'
import { parseJson } from '../../core/json-text/parse-json.ts'
import type { FlagDefinition } from '../../flags/definition.ts'
import type { FlagResult } from '../../flags/flag-result.ts'
import type { FilterTrace, FlagTrace, GateTrace, SetTrace } from '../../flags/flag-trace.ts'
import { toWireValue } from '../wire-value.ts'

/** Characters of a property's JSON in the trace of an evaluation; more are cut off. */
const FLAG_TRACE_VALUE_CHARS_MAX = 1_000

export type ShownFlag = {
  readonly result: FlagResult
  readonly definition: FlagDefinition
  readonly trace: FlagTrace | undefined
}

type Shows = {
  /** Whether the answer may hold stored properties of a person. */
  readonly showsProperties: boolean
  readonly isActive: boolean
}

export function toFlagOutcome({ result, definition, trace }: ShownFlag, shows: Shows): FlagOutcome {
  const { id, key, version, value, payload, reason, failed } = result
  const { conditionIndex } = reason
  const filters = objectOf(definition.filters)
  const groups = own(filters, 'groups')
  const sets = groups === undefined || groups === null ? [filters] : listOf(groups)
  return {
    ...(id === 0 ? {} : { flag_id: id, version }),
    key,
    active: shows.isActive,
    failed,
    value: toWireValue(value),
    ...(payload === undefined ? {} : { payload }),
    reason: {
      code: reason.code,
      description: reason.description,
      ...(conditionIndex === null ? {} : { condition_index: conditionIndex }),
    },
    ...gateMember('opt_in', trace?.optIn, listOf(own(filters, 'super_groups'))[0], shows),
    ...gateMember('holdout', trace?.holdout, listOf(own(filters, 'holdout_groups'))[0], shows),
    condition_sets: (trace?.sets ?? []).map((set, index) => toSet(set, sets[index], shows)),
  }
}

function gateMember(
  name: 'opt_in' | 'holdout',
  trace: GateTrace | undefined,
  stored: Json | undefined,
  shows: Shows,
): { [gate in typeof name]?: FlagGate } {
  if (trace === undefined) return {}
  const { holds, bucket, threshold } = trace
  const gate: FlagGate = {
    ...(holds === undefined ? {} : { holds }),
    ...(bucket === undefined ? {} : { bucket }),
    threshold,
    properties: toConditions(trace.filters, stored, shows),
  }
  return { [name]: gate }
}

function toSet(trace: SetTrace, stored: Json | undefined, shows: Shows): FlagConditionSet {
  const { isReached, outcome, bucket, threshold, variant, variantBucket } = trace
  return {
    reached: isReached,
    outcome,
    threshold,
    ...(bucket === undefined ? {} : { bucket }),
    ...(variant === undefined ? {} : { value: toWireValue(variant) }),
    ...(variantBucket === undefined ? {} : { variant_bucket: variantBucket }),
    properties: toConditions(trace.filters, stored, shows),
  }
}

function toConditions(
  traces: readonly FilterTrace[],
  stored: Json | undefined,
  { showsProperties }: Shows,
): FlagCondition[] {
  const properties = listOf(own(objectOf(stored), 'properties'))
  return traces.map(({ place, holds, actual }) => ({
    property: toWireValue(properties[place] ?? null),
    holds,
    ...(actual === undefined || !showsProperties ? {} : { actual: toWireValue(short(actual)) }),
  }))
}

/** A stored value may have half a megabyte. */
function short(actual: unknown): Json {
  const digits = typeof actual === 'string' ? exactDigits(actual) : undefined
  const text = digits === undefined ? exactJson(actual ?? null) : JSON.stringify(digits)
  if (text.length <= FLAG_TRACE_VALUE_CHARS_MAX) return parseJson(text)
  return `${text.slice(0, FLAG_TRACE_VALUE_CHARS_MAX)}…`
}
