/**
 * Restores exact numbers, since a sandbox has doubles only: where a plugin has left the double next
 * to an exact number, that number is put back.
 */
import { isList, isObject, setOwn } from '../../core/json.ts'
import { doubleOf, exactDigits } from '../../core/json-text/exact-numbers.ts'
import type { PluginEvent, ProcessAnswer } from '../ports.ts'

/** @param events as they were given, by the places of their answers; undefined without such a number. */
export function withDigits(
  answers: readonly ProcessAnswer[],
  events: readonly (PluginEvent | undefined)[],
): readonly ProcessAnswer[] {
  return answers.map((answer, place) => {
    if (answer.kind !== 'kept') return answer
    return { kind: 'kept', event: restored(answer.event, events[place]) }
  })
}

/** Changes lists and objects of `given` in place; no deeper than `before` is. */
function restored(given: unknown, before: unknown): unknown {
  if (typeof before === 'string') return isNextTo(given, before) ? before : given
  if (isList(before) && Array.isArray(given)) {
    for (const [place, item] of before.entries()) {
      if (place < given.length) given[place] = restored(given[place], item)
    }
  } else if (isObject(before) && isObject(given)) {
    for (const [name, value] of Object.entries(before)) {
      if (Object.hasOwn(given, name)) {
        setOwn(given as Record<string, unknown>, name, restored(given[name], value))
      }
    }
  }
  return given
}

/** In JSON, numbers beyond doubles are null. */
function isNextTo(given: unknown, text: string): boolean {
  if (exactDigits(text) === undefined) return false
  const double = doubleOf(text) ?? 0
  return given === (Number.isFinite(double) ? double : null)
}
