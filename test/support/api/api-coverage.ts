/** Coverage of the endpoints by the API cases. */
import type { Shows } from '../../api/support/case.ts'
import type { Family } from '../../api/support/families.ts'

/** Number of cases of one family that show one aspect of an endpoint. */
export type Shown = { readonly family: Family; readonly count: number }

export type Coverage = {
  /** In the order of the families, without those that show none. */
  of(endpoint: string, shows: Shows): readonly Shown[]
}

/** Index of the cases by endpoint and shown aspect. */
export function coverageOf(families: readonly Family[]): Coverage {
  const counts = new Map<string, Map<Family, number>>()
  for (const family of families) {
    for (const { endpoint, shows } of family.cases) {
      const key = `${shows} ${endpoint}`
      const byFamily = counts.get(key) ?? new Map<Family, number>()
      byFamily.set(family, (byFamily.get(family) ?? 0) + 1)
      counts.set(key, byFamily)
    }
  }
  return {
    of: (endpoint, shows) =>
      [...(counts.get(`${shows} ${endpoint}`) ?? [])].map(([family, count]) => ({ family, count })),
  }
}
