/** Keys that reading the database takes. */
import { AppError } from '../../core/code.ts'
import type { KeyRing } from '../../core/secrets/key-ring.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'

/** Ids of keys in the order of their first use. */
export async function listSecretKeys(db: Db): Promise<string[]> {
  const rows = await db<{ id: string }[]>`select id from secret_keys order by created_at, id`
  return rows.map(({ id }) => id)
}

/**
 * Notes the key that this process seals with, by every start of a worker. Workers that start
 * together with different keys do not both get in.
 * @throws {AppError} `failed_precondition` with a sentence for the operator, when the ring lacks a
 * key that the database needs.
 */
export async function requireSecretKeys(sql: Sql, ring: KeyRing): Promise<void> {
  const [first] = ring.ids
  await sql.begin(async (tx) => {
    await tx`lock table secret_keys in share row exclusive mode`
    const missing = (await listSecretKeys(tx)).filter((id) => !ring.ids.includes(id))
    if (missing.length > 0) {
      const had = first === undefined ? 'no key is set' : `this worker has ${ring.ids.join(', ')}`
      const detail =
        `the secrets in the database are sealed under the key ${missing.join(', ')}, and ${had}: ` +
        'set SECRETS_KEY as on the other workers, or bring DATA_DIR/secrets.key'
      throw new AppError('failed_precondition', detail)
    }
    if (first !== undefined) {
      await tx`insert into secret_keys (id) values (${first}) on conflict do nothing`
    }
  })
}

/** Called after all secrets were sealed anew: the database needs no other key. */
export async function keepOnlySecretKey(db: Db, id: string): Promise<void> {
  await db`delete from secret_keys where id <> ${id}`
}
