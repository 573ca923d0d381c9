/** How far a change of a flag has come, over gateways that hear of it and one that cannot. */
import t from 'tap'
import { startCluster } from '../../support/servers/cluster-processes.ts'
import { answered } from '../../support/servers/product.ts'
import { until } from '../../support/until.ts'

type Propagation = {
  readonly revision: number | null
  readonly gateways: number
  readonly confirmed: number | null
  readonly elapsed_ms: number | null
}

t.test('how far a change of a flag has come', async (t) => {
  const {
    gateways,
    projectKey,
    personalKey: key,
  } = await startCluster(t, {
    workers: 2,
    gateways: 2,
  })
  const [g1, g2] = gateways
  if (g1 === undefined || g2 === undefined) throw new Error('two gateways were asked for')
  const flags = `${g1.url}/api/projects/1/feature_flags/`
  const propagation = async (question: string): Promise<Propagation> => {
    const { status, body } = await answered(`${flags}propagation/?${question}`, { key })
    t.equal(status, 200)
    return body as Propagation
  }
  const valueAt = async (url: string) => {
    const body = { api_key: projectKey, distinct_id: 'ann' }
    const decided = await answered(`${url}/decide/?v=2`, { body })
    return (decided.body as { featureFlags: Record<string, unknown> }).featureFlags['beta'] ?? false
  }
  const made = await answered(flags, { key, body: { key: 'beta' } })
  const { id } = made.body as { id: number }
  const change = async (active: boolean) => {
    const changed = await answered(`${flags}${id}/`, { method: 'PATCH', key, body: { active } })
    t.equal(changed.status, 200)
  }

  let before = 0
  await until('both gateways have heard of the workers and hold the change', async () => {
    const { revision, gateways: count, confirmed } = await propagation('wait_ms=1000')
    before = revision ?? 0
    return count === 2 && confirmed === 2
  })
  t.equal(await valueAt(g2.url), true)

  t.test('a gateway that holds it uses nothing older', async (t) => {
    for (const active of [false, true, false, true]) {
      await change(active)
      let held: Propagation | undefined
      await until('both hold it', async () => {
        held = await propagation(`revision=${before + 1}&wait_ms=1000`)
        return held.confirmed === 2
      })
      t.equal(await valueAt(g2.url), active)
      t.ok((held?.revision ?? 0) > before)
      t.type(held?.elapsed_ms, 'number')
      before = held?.revision ?? before
    }
  })

  t.test('a gateway that is frozen does not hold it', async (t) => {
    g2.freeze()
    await change(false)
    const frozen = await propagation('wait_ms=0')
    t.ok((frozen.confirmed ?? 2) < 2, 'the frozen one has not confirmed')
    // A machine that stood still for seconds has lost it from the view.
    if (frozen.gateways === 2) t.equal(frozen.elapsed_ms, null)
    g2.thaw()
    await until('both hold it', async () => {
      const { confirmed } = await propagation(`revision=${frozen.revision}&wait_ms=1000`)
      return confirmed === 2
    })
    t.equal(await valueAt(g2.url), false, 'nor does it use what it had')
  })

  t.test('a gateway that has left is not waited for', async () => {
    await g2.term()
    await change(true)
    await until('the only one holds it', async () => {
      const { gateways: count, confirmed } = await propagation('wait_ms=1000')
      return count === 1 && confirmed === 1
    })
  })
})
