import t from 'tap'
import { readFamilies } from '../api/support/families.ts'
import { runCases } from '../support/api/api-runner.ts'
import { makeWorld } from '../support/api/api-world.ts'

/** Thousands of requests, one after the other. */
t.setTimeout(180_000)

/** `API_CASES=feature-flags` runs that family alone. */
const families = await readFamilies(process.env['API_CASES'])

t.test('the management interface over HTTP', async (t) => {
  t.ok(families.length > 0, 'there are cases')
  const world = await makeWorld(t)
  for (const { name, cases } of families) await t.test(name, (t) => runCases(t, world, cases))
})
