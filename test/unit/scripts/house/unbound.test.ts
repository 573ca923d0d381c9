import t from 'tap'
import { unboundMethods } from '../../../../scripts/house/unbound.ts'

const STORE = `
export interface Counter { add(by: number): number; reset(): void }
class MapCounter implements Counter {
  #sum = 0
  add(by: number) { return (this.#sum += by) }
  reset() { this.#sum = 0 }
  #twice() { return this.#sum * 2 }
  later() { return setTimeout(this.#twice, 1) }
  static of() { return 1 }
  name() { return 'counter' }
}
export type Named = MapCounter
export const create = (): Counter => new MapCounter()
`
const USES = `
import { create, type Counter, type Named } from './counter.ts'
const counter = create()
export const passed = [1].map(counter.add)
export const { reset: taken } = counter
export const picked = ({ add }: Pick<Counter, 'add'>) => add(1)
export const either = (one: Counter | { add(by: number): number } | undefined) => [one?.add]
export const called = [1].map((by) => counter.add(by))
export const bound = counter.add.bind(counter)
export const compared = counter.add === counter.add
export const free = (named: Named) => [named.name, named.add(1)]
export const other = ({ add }: { add: (by: number) => number }) => add
`

t.test('a method of a class that is taken from its object is found', (t) => {
  const root = t.testdir({ 'counter.ts': STORE, 'uses.ts': USES })
  const found = unboundMethods(root, ['counter.ts', 'uses.ts'])
  t.strictSame(
    found.map(({ path, line, text, method }) => `${path}:${line} ${text} ${method}`),
    [
      'counter.ts:8 this.#twice MapCounter.#twice',
      'uses.ts:4 counter.add MapCounter.add',
      'uses.ts:5 reset: taken MapCounter.reset',
      'uses.ts:6 add MapCounter.add',
      'uses.ts:7 one?.add MapCounter.add',
    ],
  )
  t.end()
})
