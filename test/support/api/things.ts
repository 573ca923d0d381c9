/** A small contract for tests of the REST gateway. */
import { join } from 'node:path'
import { packageRoot } from '../../../src/core/package-root.ts'
import { type ContractMethod, loadContract } from '../../../src/wire/proto/proto.ts'

/** The invented contract of `test/fixtures/contract`: every shape of route, on one resource. */
export const things = loadContract(join(packageRoot, 'test', 'fixtures', 'contract'), [
  join(packageRoot, 'proto'),
])

export function thingMethod(name: string): ContractMethod {
  const method = things.methods.find((each) => each.name === name)
  if (method === undefined) throw new Error(`no method ${name}`)
  return method
}
