import type { Json } from '../../core/json.ts'
import { type Db, jsonText } from '../../postgres/db.ts'

/** Key of the built-in plugin. */
export type BuiltinPlugin = {
  /** Its name in the catalogue. */
  readonly builtin: string
  readonly name: string
  readonly description: string
  readonly configSchema: Json
  readonly capabilities: Json
}

/**
 * Creates or updates the rows of plugins that come with the product, at every start of a worker
 * after its migrations. One statement, which writes only differences; concurrent calls are
 * harmless. The last start wins, even one of an older release. A plugin that no release knows any
 * more keeps its row and its configs.
 *
 * These columns do not affect running plugins, so no project's revision is raised: code and schema
 * of a built-in plugin change only with the process.
 *
 * @returns how many were written.
 */
export async function registerBuiltins(
  db: Db,
  builtins: readonly BuiltinPlugin[],
): Promise<number> {
  const { count } = await db`
    with given as materialized (
      select g.* from json_to_recordset(${jsonText(builtins)}::text::json) as g (
        builtin text, name text, description text, "configSchema" json, capabilities json
      )
    )
    insert into plugins (
      builtin, plugin_type, is_global, name, description, config_schema, capabilities
    )
    select g.builtin, 'local', true, g.name, g.description, g."configSchema", g.capabilities
    from given g
    -- Before the insert, which would take an id for each row that is there already.
    where not exists (
      select from plugins p
      where p.builtin = g.builtin and p.is_global and p.name = g.name
        and p.description = g.description and p.config_schema::jsonb = g."configSchema"::jsonb
        and p.capabilities::jsonb = g.capabilities::jsonb
    )
    order by g.builtin
    on conflict (builtin) do update set
      is_global = true, name = excluded.name, description = excluded.description,
      config_schema = excluded.config_schema, capabilities = excluded.capabilities,
      updated_at = now()`
  return count
}
