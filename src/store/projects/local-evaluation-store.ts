import type { ProjectId } from '../../core/ids.ts'
import type { CohortDefinition, FlagDefinition, FlagSources } from '../../flags/definition.ts'
import type { Db } from '../../postgres/db.ts'

type Row =
  | { readonly kind: 'flag'; readonly value: FlagDefinition }
  | { readonly kind: 'cohort'; readonly value: CohortDefinition }
  | { readonly kind: 'group'; readonly id: number; readonly value: string }
  | { readonly kind: 'zone'; readonly value: string }

/**
 * Reads what server libraries need to evaluate flags, as of one moment: flags and cohorts that are
 * not deleted, without definitions of static cohorts. JSON columns are returned as they were
 * written. Each is a row: a project has MB of them, and they are processed as they are received.
 */
export async function loadLocalSources(db: Db, project: ProjectId): Promise<FlagSources> {
  const rows = await db<Row[]>`
    select 'flag' as kind, f.id::float8 as id, json_build_object(
      'projectId', f.project_id, 'id', f.id, 'key', f.key, 'name', f.name, 'active', f.active,
      'deleted', f.deleted, 'version', f.version,
      'ensureExperienceContinuity', f.ensure_experience_continuity,
      'bucketingIdentifier', f.bucketing_identifier, 'evaluationRuntime', f.evaluation_runtime,
      'evaluationContexts', f.evaluation_contexts,
      'hasEncryptedPayloads', f.has_encrypted_payloads, 'filters', f.filters
    ) as value
    from feature_flags f where f.project_id = ${project} and not f.deleted
    union all
    select 'cohort', c.id, json_build_object(
      'id', c.id, 'name', c.name, 'isStatic', c.is_static, 'deleted', c.deleted,
      'filters', case when not c.is_static then c.filters end
    )
    from cohorts c where c.project_id = ${project} and not c.deleted
    union all
    select 'group', g.type_index, to_json(g.group_type)
    from group_types g where g.project_id = ${project}
    union all
    select 'zone', 0, to_json(p.timezone) from projects p where p.id = ${project}
    order by 1, 2`
  const flags: FlagDefinition[] = []
  const cohorts: CohortDefinition[] = []
  const groupTypes = new Map<number, string>()
  let timezone = 'UTC'
  for (const row of rows) {
    if (row.kind === 'flag') flags.push(row.value)
    else if (row.kind === 'cohort') cohorts.push(row.value)
    else if (row.kind === 'group') groupTypes.set(row.id, row.value)
    else timezone = row.value
  }
  return { flags, cohorts, groupTypes, timezone }
}
