import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { isAsSaid, printsOf, stepsOf } from '../../clients/samples/expected-output.ts'
import { readSamples } from '../../clients/samples/read-samples.ts'

const FENCE = '```'

/** Samples of a document in a repository with one snippet, `print()`, that tests run. */
function samplesOf(...lines: readonly string[]) {
  const root = mkdtempSync(join(tmpdir(), 'sluice-samples-'))
  try {
    mkdirSync(join(root, 'test', 'clients', 'snippets'), { recursive: true })
    writeFileSync(join(root, 'test', 'clients', 'snippets', 'one.py'), 'print()\n')
    writeFileSync(join(root, 'A.md'), lines.join('\n'))
    return readSamples('A.md', root)
  } finally {
    rmSync(root, { recursive: true })
  }
}

const block = (language: string, code: string) => [`${FENCE}${language}`, code, FENCE]

t.test('a block is run by its language, or as a comment above it says', async (t) => {
  const samples = samplesOf(
    ...block('sh', 'npm start'),
    ...block('', 'a drawing'),
    ...block('sh', 'curl'),
    ...block('js', 'console.log(1)'),
    ...block('python', 'print()'),
    '<!-- sample: browser -->',
    ...block('js', 'alert()'),
    '<!-- sample: run by test/clients/snippets/one.py -->',
    ...block('ts', 'x'),
    '<!-- sample: not run, it would format the disk -->',
    ...block('sh', 'mkfs'),
    ...block('sh', 'ls'),
  )
  const path = 'test/clients/snippets/one.py'
  t.strictSame(
    samples.map(({ how }) => how),
    [
      { kind: 'start' },
      { kind: 'shell' },
      { kind: 'node' },
      { kind: 'elsewhere', path },
      { kind: 'browser' },
      { kind: 'elsewhere', path },
      { kind: 'not_run', reason: 'it would format the disk' },
      { kind: 'shell' },
    ],
  )
  t.equal(samples[1]?.place, 'A.md:7')
})

t.test('a block that no rule is for is a failure', async (t) => {
  t.throws(() => samplesOf(...block('ruby', 'puts 1')), /A\.md:1: no rule says how a block of ruby/)
  t.throws(() => samplesOf('<!-- sample: later -->', ...block('sh', 'ls')), /no rule is "later"/)
  const short = '<!-- sample: not run, no -->'
  t.throws(() => samplesOf(short, ...block('sh', 'ls')), /no rule is "not run, no"/, 'a reason')
  const gone = '<!-- sample: run by test/gone.test.ts -->'
  t.throws(() => samplesOf(gone, ...block('ts', 'x')), /no rule is/)
  t.throws(() => samplesOf(`${FENCE}sh`, 'ls'), /a block without an end/)
})

t.test('a document may say of all its samples why they are not run', async (t) => {
  const samples = samplesOf(
    '<!-- samples: not run, they take an hour each -->',
    ...block('sh', 'make'),
    ...block('ruby', 'puts 1'),
    '<!-- sample: browser -->',
    ...block('js', 'alert()'),
  )
  t.match(
    samples.map(({ how }) => how.kind),
    ['not_run', 'not_run', 'browser'],
  )
})

t.test('JSON directly below a sample is what it prints', async (t) => {
  const answer = '{"a": 1}'
  const samples = samplesOf(...block('sh', 'curl'), '', ...block('json', answer), '', 'And:', '')
  t.match(samples, [{ code: 'curl', output: answer }])
  t.strictSame(samplesOf(...block('json', answer)), [], 'on its own it is data')
})

t.test('comments below a command are what it prints, others are comments', async (t) => {
  const steps = stepsOf(
    '# First\nA=1\ncurl \\\n  $A\n# {"a":1}\n# two\ncurl b\n\n# Then\ncurl c # d',
  )
  t.strictSame(steps, [
    { code: '# First\nA=1\ncurl \\\n  $A', prints: '{"a":1}\ntwo' },
    { code: 'curl b', prints: undefined },
    { code: '# Then\ncurl c # d', prints: undefined },
  ])
  t.equal(printsOf('log(1)\n// prints 1\nlog(2)\n  // prints 2'), '1\n2')
  t.equal(printsOf('// says 1'), undefined)
})

t.test('printed lines are compared whole, but for … and spaces', async (t) => {
  t.ok(isAsSaid('{"a": 1, … "z":[…]}', '{"a":1,"b":2,"z":[1,\n2]}\n'))
  t.notOk(isAsSaid('{"a":1}', '{"a":1,"b":2}'))
  t.notOk(isAsSaid('{"a":1…}', '{"a":2,"b":2}'))
  t.ok(isAsSaid('a.b (c)? [d] $e', 'a.b (c)? [d] $e'))
  t.notOk(isAsSaid('a.b', 'aXb'))
})
