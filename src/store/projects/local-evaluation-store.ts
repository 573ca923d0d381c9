import type { ProjectId } from '../../core/ids.ts'
import type { CohortDefinition, FlagDefinition, FlagSources } from '../../flags/definition.ts'
import type { Db } from '../pool/db.ts'

type Row = {
  readonly flags: readonly FlagDefinition[]
  readonly cohorts: readonly CohortDefinition[]
  readonly groupTypes: readonly { readonly index: number; readonly name: string }[]
  readonly timezone: string
}

/**
 * What server libraries evaluate flags by, as of one moment: flags and cohorts that are not
 * deleted, definitions of static cohorts left out. JSON columns go into the answer as they were
 * written.
 */
export async function loadLocalSources(db: Db, project: ProjectId): Promise<FlagSources> {
  const [row] = await db<Row[]>`
    select (
      select coalesce(json_agg(json_build_object(
        'projectId', f.project_id, 'id', f.id, 'key', f.key, 'name', f.name, 'active', f.active,
        'deleted', f.deleted, 'version', f.version,
        'ensureExperienceContinuity', f.ensure_experience_continuity,
        'bucketingIdentifier', f.bucketing_identifier, 'evaluationRuntime', f.evaluation_runtime,
        'evaluationContexts', f.evaluation_contexts,
        'hasEncryptedPayloads', f.has_encrypted_payloads, 'filters', f.filters
      ) order by f.id), '[]')
      from feature_flags f where f.project_id = ${project} and not f.deleted
    ) as flags, (
      select coalesce(json_agg(json_build_object(
        'id', c.id, 'name', c.name, 'isStatic', c.is_static, 'deleted', c.deleted,
        'filters', case when not c.is_static then c.filters end
      ) order by c.id), '[]')
      from cohorts c where c.project_id = ${project} and not c.deleted
    ) as cohorts, (
      select coalesce(json_agg(json_build_object(
        'index', g.type_index, 'name', g.group_type
      ) order by g.type_index), '[]')
      from group_types g where g.project_id = ${project}
    ) as "groupTypes",
      coalesce((select p.timezone from projects p where p.id = ${project}), 'UTC') as timezone`
  if (row === undefined) throw new Error('a select without from answered no row')
  const { flags, cohorts, timezone } = row
  const groupTypes = new Map(row.groupTypes.map((type) => [type.index, type.name]))
  return { flags, cohorts, groupTypes, timezone }
}
