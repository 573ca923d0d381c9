import t from 'tap'
import type { Benches } from './benches.ts'
import { inputOf } from './inputs.ts'
import { faultOf } from './judges/answers.ts'
import { minimise } from './minimise.ts'
import { runTarget } from './run.ts'
import { TARGET_NAMES } from './target.ts'

const corpus = [{ name: 'one', input: Buffer.from('{"a":[1,2]}\nbytes') }]

t.test('a seed makes one input, and seeds make many', async (t) => {
  for (const target of TARGET_NAMES) {
    const inputs = Array.from({ length: 40 }, (_, seed) => inputOf(target, seed, corpus))
    const again = inputs.map((_, seed) => inputOf(target, seed, corpus))
    t.strictSame(again, inputs, target)
    const different = new Set(inputs.map((input) => input.toString('latin1')))
    t.ok(different.size > 30, target)
  }
})

t.test('a failing input is made small', async (t) => {
  const input = Buffer.from(`${'x'.repeat(500)}boom${'y'.repeat(300)}`)
  const small = await minimise(input, async (less) => less.includes('boom'))
  t.equal(small.toString(), 'boom')
})

t.test(
  'an input that fails is found among others, and one that failed once only is not',
  async (t) => {
    const kept = new Map<number, string>()
    const bad = inputOf('flags', 3, [])
    const once = inputOf('flags', 5, [])
    let isFirst = true
    const benches: Benches = {
      of: () => ({
        judge: async (input) => {
          const isOnce = input.equals(once) && isFirst
          if (isOnce) isFirst = false
          return isOnce || input.equals(bad) ? 'wrong' : undefined
        },
        look: async () => undefined,
        renew: async () => {},
        close: async () => {},
      }),
      close: async () => {},
    }
    const keep = (_target: string, seed: number, input: Buffer) => {
      kept.set(seed, input.toString())
      return `seed ${seed}`
    }
    const options = { seed: 0, inputsMax: 10, goesOn: () => true, keep, corpus: [] }
    const { inputs, found } = await runTarget(benches, 'flags', options)
    t.equal(inputs, 10)
    t.strictSame(found, [{ target: 'flags', seed: 3, fault: 'wrong', path: 'seed 3' }])
    t.strictSame([...kept], [[3, bad.toString()]])
  },
)

t.test('a fault of the process is traced to its input', async (t) => {
  const bad = inputOf('http', 7, [])
  let isBroken = false
  const benches: Benches = {
    of: () => ({
      judge: async (input) => {
        if (input.equals(bad)) isBroken = true
        return undefined
      },
      look: async () => {
        const was = isBroken
        isBroken = false
        return was ? 'the event loop was held' : undefined
      },
      renew: async () => {},
      close: async () => {},
    }),
    close: async () => {},
  }
  const options = { seed: 0, inputsMax: 20, goesOn: () => true, keep: () => 'path', corpus: [] }
  const { found } = await runTarget(benches, 'http', options)
  t.match(found, [{ seed: 7, fault: 'the event loop was held' }])
})

t.test('answers that are no documented ones are faults', async (t) => {
  const answer = (status: number, body: unknown, headers = new Map<string, string>()) =>
    faultOf({ status, headers, body: Buffer.from(JSON.stringify(body)) })
  const documented = { type: 'a', code: 'b', detail: 'c', attr: null }
  t.equal(answer(200, {}), undefined)
  t.equal(answer(400, documented), undefined)
  t.equal(answer(503, documented, new Map([['retry-after', '1']])), undefined)
  t.match(answer(503, documented), /no Retry-After/)
  t.match(answer(500, documented), /^500/)
  t.match(answer(400, { error: 'x' }), /not the shape/)
  t.match(answer(Number.NaN, {}), /no status/)
})
