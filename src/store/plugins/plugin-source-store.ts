import type { ProjectId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'
import { versionFiles } from './plugin-version-store.ts'

export type SourceFile = { readonly filename: string; readonly source: string }

/** A file as it is saved: with the JavaScript made of it, or why there is none. */
export type SavedSourceFile = SourceFile & {
  readonly compiled: string | null
  readonly error: string | null
}

/** Source files by name. */
export async function listSourceFiles(db: Db, plugin: number): Promise<SourceFile[]> {
  return await db<SourceFile[]>`
    select filename, source from plugin_source_files
    where plugin_id = ${plugin} order by filename`
}

export async function saveSourceFiles(
  db: Db,
  plugin: number,
  files: readonly SavedSourceFile[],
): Promise<void> {
  await db`
    insert into plugin_source_files (plugin_id, filename, source, compiled, error)
    select ${plugin}, filename, source, compiled, error
    from json_to_recordset(${JSON.stringify(files)}::text::json)
      as f (filename text, source text, compiled text, error text)
    on conflict (plugin_id, filename) do update set
      source = excluded.source, compiled = excluded.compiled, error = excluded.error,
      updated_at = now()`
}

export async function deleteSourceFiles(
  db: Db,
  plugin: number,
  filenames: readonly string[],
): Promise<void> {
  await db`
    delete from plugin_source_files
    where plugin_id = ${plugin} and filename = any(${[...filenames]}::text[])`
}

/** `frontend.tsx` of a config's plugin, where the config's organization may still use it. */
export async function findFrontend(
  db: Db,
  project: ProjectId,
  config: number,
): Promise<Pick<SavedSourceFile, 'compiled' | 'error'> | undefined> {
  const [row] = await db<Pick<SavedSourceFile, 'compiled' | 'error'>[]>`
    select f.compiled, f.error
    from plugin_configs c
    join projects of_config on of_config.id = c.project_id
    join plugins p on p.id = c.plugin_id
    join lateral ${versionFiles(db)} as f on f.filename = 'frontend.tsx'
    where c.id = ${config} and c.project_id = ${project}
      and (p.is_global or p.organization_id = of_config.organization_id)`
  return row
}
