/** Reads of a project's flags, as the handlers of several calls need them. */
import type { ListFeatureFlagsResponse } from '../../../proto/gen/sluice/v1/ListFeatureFlagsResponse.ts'
import { rowId } from '../../access/access.ts'
import { found } from '../../access/errors.ts'
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import { FLAG_KEY_LENGTH_MAX } from '../../core/limits/limits.ts'
import type { Db } from '../../postgres/db.ts'
import { type SharedRead, shareReads } from '../../postgres/shared-reads.ts'
import {
  countFlags,
  type FlagOfProject,
  type FlagPayloads,
  findFlag,
  findFlags,
  findPayloads,
  listFlags,
  type StoredFlag,
} from '../../store/projects/flag-store.ts'
import type { Page } from '../../wire/page.ts'
import { wordsOf } from '../words-of-search.ts'
import { toFeatureFlag } from './flag-message.ts'

/** Form of a key; other texts are not looked up: Postgres refuses some of them. */
const KEY = /^[\w-]+$/

/** One page of a project's flags, newest first; deleted ones are hidden. */
export async function pageOfFlags(
  db: Db,
  project: ProjectId,
  { search, ...page }: Page & { readonly search?: string },
): Promise<ListFeatureFlagsResponse> {
  const selection = { project, words: wordsOf(search) }
  const [count, flags] = await Promise.all([
    countFlags(db, selection),
    listFlags(db, selection, page),
  ])
  return { count, results: flags.map(toFeatureFlag) }
}

/** @throws {AppError} `not_found` when `text` is not the id of a flag of the project. */
export async function flagOf(db: Db, project: ProjectId, text: string): Promise<StoredFlag> {
  return await flagFrom((key) => findFlag(db, key.project, key.id), project, text)
}

/** `flagOf` for many concurrent reads, which it merges. */
export function shareFlags(db: Db, clock: Pick<Clock, 'after'>) {
  const read = shareReads<FlagOfProject, StoredFlag>({
    clock,
    nameOf: ({ project, id }) => `${project} ${id}`,
    read: (asked) => findFlags(db, asked),
  })
  return (project: ProjectId, text: string): Promise<StoredFlag> => flagFrom(read, project, text)
}

async function flagFrom(
  read: SharedRead<FlagOfProject, StoredFlag>,
  project: ProjectId,
  text: string,
): Promise<StoredFlag> {
  const id = rowId(text)
  return found(id === undefined ? undefined : await read({ project, id }))
}

/**
 * The payloads of the flag with this key or id.
 * @throws {AppError} `not_found`.
 */
export async function payloadsOf(db: Db, project: ProjectId, key: string): Promise<FlagPayloads> {
  const isKey = KEY.test(key) && key.length <= FLAG_KEY_LENGTH_MAX
  return found(isKey ? await findPayloads(db, project, { key, id: rowId(key) }) : undefined)
}
