/** Keeps members of different cluster protocols out of one cluster. */
import type { Clock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import { MEMBER_SUSPECT_MS } from '../../src/core/limits/limits.ts'
import { CLUSTER_PROTOCOL, parseRecord } from './member-record.ts'
import type { RegistryEntry } from './registry.ts'

/**
 * Refuses to join a cluster with a live member of another protocol. A key that is not renewed any
 * more does not count: so keys of another protocol are listed again after MEMBER_SUSPECT_MS.
 * @param entries every key, as listed just now.
 * @throws {AppError} `failed_precondition` that names the other member; errors of `list`.
 */
export async function refuseForeignMembers(
  entries: readonly RegistryEntry[],
  { clock, list }: { clock: Clock; list: () => Promise<readonly RegistryEntry[]> },
): Promise<void> {
  const foreign = entries.filter(({ key, value }) => parseRecord(key, value).kind === 'foreign')
  if (foreign.length === 0) return
  await clock.sleep(MEMBER_SUSPECT_MS)
  for (const { key, value, revision } of await list()) {
    const parsed = parseRecord(key, value)
    const before = foreign.find((entry) => entry.key === key)
    if (parsed.kind !== 'foreign' || before === undefined || before.revision === revision) continue
    const { about, protocol } = parsed
    const ours = `this process speaks ${CLUSTER_PROTOCOL}`
    const text = `member ${about} speaks cluster protocol ${protocol}, ${ours}: stop it first`
    throw new AppError('failed_precondition', text)
  }
}
