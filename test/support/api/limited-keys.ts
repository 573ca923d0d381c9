/** Keys of the owner with fewer rights than the owner has. */
import type { Actor } from '../../api/support/case.ts'
import type { World } from './api-world.ts'
import { fillValue, type Names, valueAt } from './placeholders.ts'

export type Limits = Exclude<Actor, string>

export type LimitedKeys = {
  /** A key with these limits: an earlier case's key, where it still exists. */
  of(limits: Limits, names: Names): Promise<string>
  /** Removes all. */
  remove(): Promise<void>
}

type Made = { readonly id: string; readonly value: string }

const KEYS = '/api/personal_api_keys/'
/** A user has ten at most, and cases make some themselves. */
const KEPT_MAX = 4

/** Keeps some keys for later cases, because making one takes longer than most cases. */
export function createLimitedKeys({ http, keys }: World): LimitedKeys {
  /** Keys by their limits, the most recently used one last. */
  const kept = new Map<string, Made>()
  const ask = async (verb: string, path: string, body?: string) => {
    const headers = {
      authorization: `Bearer ${keys.owner}`,
      'content-type': 'application/json',
    }
    return await http.call({ verb, path, headers, ...(body === undefined ? {} : { body }) })
  }
  const make = async (text: string): Promise<Made> => {
    const { status, body, text: said } = await ask('POST', KEYS, text)
    if (status !== 201) throw new Error(`no key can be made: ${status} ${said}`)
    return { id: String(valueAt(body, 'id')), value: String(valueAt(body, 'value')) }
  }
  const removeOldest = async () => {
    const [text = ''] = kept.keys()
    const key = kept.get(text)
    kept.delete(text)
    if (key !== undefined) await ask('DELETE', `${KEYS}${key.id}/`)
  }
  return {
    async of(limits, names) {
      const filled = Object(fillValue({ ...limits }, names))
      const text = JSON.stringify({ label: 'case', ...filled })
      const known = kept.get(text)
      if (known === undefined && kept.size === KEPT_MAX) await removeOldest()
      const key = known ?? (await make(text))
      kept.delete(text)
      kept.set(text, key)
      return key.value
    },
    async remove() {
      while (kept.size > 0) await removeOldest()
    },
  }
}
