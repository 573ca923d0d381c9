import type { ListFeatureFlagsResponse } from '../../proto/gen/sluice/v1/ListFeatureFlagsResponse.ts'
import type { ProjectId } from '../core/ids.ts'
import { toFeatureFlag } from '../manage/flags/flag-message.ts'
import type { Db } from '../store/pool/db.ts'
import { countFlags, listFlags } from '../store/projects/flag-store.ts'
import type { Page } from '../wire/page.ts'

/** One page of a project's flags, newest first; deleted ones are hidden. */
export async function pageOfFlags(
  db: Db,
  project: ProjectId,
  page: Page,
): Promise<ListFeatureFlagsResponse> {
  const [count, flags] = await Promise.all([countFlags(db, project), listFlags(db, project, page)])
  return { count, results: flags.map(toFeatureFlag) }
}
