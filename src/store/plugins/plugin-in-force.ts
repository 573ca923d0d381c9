import type { Db } from '../../postgres/db.ts'

/** Whether a config `c` runs: it is enabled, and may. */
export function inForce(db: Db) {
  return db`(c.enabled and ${mayRun(db)})`
}

/**
 * Whether a config `c` may run, once it is enabled: its organization may run plugins, and the plugin
 * comes with the product, is global, or is the organization's own.
 */
export function mayRun(db: Db) {
  return db`(
    exists (
      select from projects of_config
      join organizations owner on owner.id = of_config.organization_id
      join plugins used on used.id = c.plugin_id
      where of_config.id = c.project_id and owner.plugins_access_level > 0
        and (used.builtin is not null or used.is_global or used.organization_id = owner.id)
    )
  )`
}
