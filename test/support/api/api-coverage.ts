/** Which endpoints the API cases cover. */
import type { Shows } from '../../api/support/case.ts'
import type { Family } from '../../api/support/families.ts'

/** How many cases of one family show one thing of one endpoint. */
export type Shown = { readonly family: Family; readonly count: number }

export type Coverage = {
  /** In the order of the families, without those that show none. */
  of(endpoint: string, shows: Shows): readonly Shown[]
}

/** Which of the cases show what of which endpoint. */
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
