/** Scopes of a key: reading or writing each kind of object, or everything. */

export const EVERYTHING = '*'

/** A unit test compares them with the contract. Writing includes reading. */
export const SCOPE_OBJECTS = [
  { id: 'event', name: 'Events' },
  { id: 'event_definition', name: 'Event definitions' },
  { id: 'query', name: 'Queries' },
  { id: 'person', name: 'Persons' },
  { id: 'deletion', name: 'Deletions' },
  { id: 'cohort', name: 'Cohorts' },
  { id: 'insight', name: 'Insights' },
  { id: 'dashboard', name: 'Dashboards' },
  { id: 'annotation', name: 'Annotations' },
  { id: 'alert', name: 'Alerts' },
  { id: 'subscription', name: 'Subscriptions' },
  { id: 'sharing_configuration', name: 'Shared links' },
  { id: 'feature_flag', name: 'Feature flags' },
  { id: 'plugin', name: 'Plugins' },
  { id: 'project', name: 'Projects' },
  { id: 'organization', name: 'Organizations' },
  { id: 'organization_member', name: 'Members and invites' },
  { id: 'user', name: 'Users' },
] as const

export type Access = 'none' | 'read' | 'write'
export const ACCESSES: readonly Access[] = ['none', 'read', 'write']

export function accessTo(object: string, scopes: readonly string[]): Access {
  if (scopes.includes(EVERYTHING) || scopes.includes(`${object}:write`)) return 'write'
  return scopes.includes(`${object}:read`) ? 'read' : 'none'
}

/** "Everything", or "Flags: write, Persons: read". */
export function sentenceOfScopes(scopes: readonly string[]): string {
  if (scopes.includes(EVERYTHING)) return 'All'
  const parts = SCOPE_OBJECTS.flatMap(({ id, name }) => {
    const access = accessTo(id, scopes)
    return access === 'none' ? [] : [`${name}: ${access}`]
  })
  return parts.length === 0 ? 'Nothing' : parts.join(', ')
}
