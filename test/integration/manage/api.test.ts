import t from 'tap'
import { methods } from '../../../src/wire/proto/proto.ts'
import { readFamilies } from '../../api/support/families.ts'
import { runCases } from '../../support/api/api-runner.ts'
import { makeWorld } from '../../support/api/api-world.ts'
import { createContractClient } from '../../support/api/contract-client.ts'
import { createExampleBook } from '../../support/api/example-book.ts'
import { createComparedHttp } from '../../support/api/grpc-transport.ts'
import { assertNothingShared } from '../../support/api/tenancy.ts'

/** `API_CASES=feature-flags` runs that family alone. */
const families = await readFamilies(process.env['API_CASES'])

t.test('the management interface over HTTP, and gRPC answers the same', async (t) => {
  t.ok(families.length > 0, 'there are cases')
  const world = await makeWorld(t)
  const { product } = world
  const client = createContractClient(`127.0.0.1:${product.process.ports.grpc}`)
  const http = createComparedHttp({ client, http: world.http, url: product.url })
  t.teardown(() => http.close())
  const book = createExampleBook(product.url)
  for (const { name, cases } of families) {
    await t.test(name, (t) => runCases(t, { ...world, http }, cases, book.add))
  }
  await t.test('the examples of the reference are what the product answers', (t) => {
    if (process.env['RECORD_EXAMPLES'] === '1') book.write()
    else book.compare(t)
    t.end()
  })
  await t.test('no endpoint shows an outsider what another tenant has', (t) =>
    assertNothingShared(t, world),
  )
  t.comment(`calls over HTTP alone: ${JSON.stringify([...http.tally.overHttp])}`)
  if (process.env['API_CASES'] === undefined) {
    // The others are in grpc-management.test.ts.
    for (const { path, bindings, streaming } of methods()) {
      if (!streaming && bindings.some(({ verb }) => verb === 'GET')) {
        t.ok(http.tally.succeeded.has(path), `${path} has answered over gRPC`)
      }
    }
  }
})
