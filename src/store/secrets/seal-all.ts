/** Seals all stored secrets under the first key: those of older releases, and those of other keys. */
import type { KeyRing } from '../../core/secrets/key-ring.ts'
import type { Sql } from '../../postgres/connect.ts'
import { sealFlags } from './seal-flags.ts'
import { type SealedPage, sealPluginConfigs } from './seal-plugin-configs.ts'

/** Position of the first flag: negative, because flags follow the plugin configs. */
const FLAGS = -1

/**
 * Seals one page of plugin configs, then of flags. An interrupted run may resume at any page.
 * @param after `next` of the page before; 0 begins.
 * @throws {AppError} `failed_precondition` when a key is missing.
 */
export async function sealPage(sql: Sql, ring: KeyRing, after: number): Promise<SealedPage> {
  if (after >= 0) {
    const { next = FLAGS, sealed } = await sealPluginConfigs(sql, ring, after)
    return { next, sealed }
  }
  const { next, sealed } = await sealFlags(sql, ring, FLAGS - after)
  return { next: next === undefined ? undefined : FLAGS - next, sealed }
}

/** Seals all pages. @returns how many rows were sealed anew. */
export async function sealAll(sql: Sql, ring: KeyRing): Promise<number> {
  let sealed = 0
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: SealedPage = await sealPage(sql, ring, after)
    sealed += page.sealed
    after = page.next
  }
  return sealed
}
