/** Finds the insight that a path names. */
import { rowId } from '../../access/access.ts'
import { found } from '../../access/errors.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'
import {
  findInsight,
  type InsightName,
  type StoredInsight,
} from '../../store/saved/saved-insight-store.ts'

/** Begins with a letter, so that it cannot be a number. */
const SHORT_ID = /^[A-Za-z][A-Za-z0-9]{9}$/

/** @throws {AppError} `not_found`. */
export async function insightOf(db: Db, project: ProjectId, text: string): Promise<StoredInsight> {
  const name = insightNameOf(text)
  return found(name === undefined ? undefined : await findInsight(db, project, name))
}

/** Name of an insight in a path; undefined for a text that cannot be one. */
function insightNameOf(text: string): InsightName | undefined {
  if (SHORT_ID.test(text)) return { kind: 'short_id', shortId: text }
  const id = rowId(text)
  return id === undefined ? undefined : { kind: 'id', id }
}
