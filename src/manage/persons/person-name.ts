/** Names of persons in requests: UUID, number or distinct id. */
import { found } from '../../access/errors.ts'
import { isUuid, type ProjectId } from '../../core/ids.ts'
import {
  type FoundPerson,
  findPerson,
  type PersonName,
} from '../../event-store/postgres/persons/find-person.ts'
import type { Db } from '../../postgres/db.ts'

const BIGINT_DIGITS = /^\d{1,18}$/

export type Named = { readonly id: string; readonly by?: string }

/** Undefined for a name that no person can have. */
export function nameOf({ id, by }: Named): PersonName | undefined {
  if (by === 'distinct_id') return distinctIdOf(id)
  if (isUuid(id)) return { uuid: id }
  return BIGINT_DIGITS.test(id) ? { id } : undefined
}

/** As `nameOf`; a text that is no id is a distinct id, unless the request says otherwise. */
export function anyNameOf(named: Named): PersonName | undefined {
  return nameOf(named) ?? (named.by === undefined ? distinctIdOf(named.id) : undefined)
}

/** @throws {AppError} `not_found` */
export async function foundPerson(
  db: Db,
  project: ProjectId,
  name: PersonName | undefined,
): Promise<FoundPerson> {
  return found(name === undefined ? undefined : await findPerson(db, project, name))
}

/** Undefined for a text with NUL, which no stored id has. */
function distinctIdOf(id: string): PersonName | undefined {
  return id.includes('\0') ? undefined : { distinctId: id }
}
