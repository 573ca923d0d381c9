/** The end of a test run's log: what failed, and how. */
import t from 'tap'
import { linesOf, summaryOf } from '../../../scripts/testing/tap-summary.mjs'

const FAILED = `TAP version 14
# Subtest: test/a.test.ts
    # Subtest: works
        ok 1 - fine
        1..1
    ok 1 - works # time=1ms
    # Subtest: outer
        # Subtest: inner
            not ok 1 - the same
              ---
              diff: |
                --- expected
                +++ actual
                @@ -1,3 +1,3 @@
                 Object {
                -  "a": 2,
                +  "a": 1,
                 }
              at:
                fileName: test/a.test.ts
                lineNumber: 7
              ...
            ok 2 - fine
            1..2
        not ok 1 - inner # time=2ms
        1..1
    not ok 2 - outer # time=3ms
    1..2
not ok 1 - test/a.test.ts # time=4ms
# Subtest: test/b.test.ts
    # Subtest: folded
        not ok 1 - no process ended
          ---
          diff: >
            --- expected

            +++ actual

            @@ -1,1 +1,3 @@

            -Array []

            +Array [

            +  "w2: a long
            line",

            +]
          at:
            lineNumber: 160
          ...
        1..1
    not ok 1 - folded # time=2ms
    1..1
not ok 2 - test/b.test.ts # time=5ms
# Subtest: test/c.test.ts
    1..0
not ok 3 - test/c.test.ts # time=5ms
# Subtest: test/d.test.ts
    # Subtest: told
        not ok 1 - GET /api/: 500
          ---
          problems:
            - "status 500"
            - body is no JSON
          text: |-
            one

            two
          compare: ===
          at:
            fileName: test/d.test.ts
            lineNumber: 12
            columnNumber: 7
          stack: |
            Test.<anonymous> (test/d.test.ts:12:7)
          source: |
            t.fail('GET /api/: 500')
            --^
          ...

        not ok 2 - bare
        not ok 3 - statement timeout
          ---
          stack: |
            handle (node_modules/postgres/src/connection.js:489:6)
          at:
            fileName: node_modules/postgres/src/connection.js
            lineNumber: 489
          cause:
            stack: |
              tag (src/postgres/statement.ts:21:9)
              fill (test/support/store/deletions.ts:59:9)
              Test.<anonymous> (test/integration/store/deletions/person-data.ts:67:3)
          ...
        1..3
    not ok 1 - told # time=2ms
    1..1
not ok 4 - test/d.test.ts # time=5ms
`

t.test('a log ends with what failed, how, and how much of all that is', (t) => {
  t.strictSame(linesOf(summaryOf(FAILED)), [
    'test/a.test.ts: outer',
    '  inner: the same',
    '    -  "a": 2,',
    '    +  "a": 1,',
    '    at test/a.test.ts:7',
    'test/b.test.ts: folded',
    '  no process ended',
    '    -Array []',
    '    +Array [',
    '    +  "w2: a long line",',
    '    +]',
    'test/c.test.ts: outside its tests',
    'test/d.test.ts: told',
    '  GET /api/: 500',
    '    problems:',
    '      - "status 500"',
    '      - body is no JSON',
    '    text: |-',
    '      one',
    '      two',
    '    at test/d.test.ts:12',
    '  bare',
    '  statement timeout',
    '    cause:',
    '      stack: |',
    '        tag (src/postgres/statement.ts:21:9)',
    '        fill (test/support/store/deletions.ts:59:9)',
    '        Test.<anonymous> (test/integration/store/deletions/person-data.ts:67:3)',
    '    at test/support/store/deletions.ts:59',
    'not ok: test/a.test.ts: outer',
    'not ok: test/b.test.ts: folded',
    'not ok: test/c.test.ts: outside its tests',
    'not ok: test/d.test.ts: told',
    '1 passed, 4 failed',
  ])
  t.end()
})

t.test('output beside a failure is cut, its place stays', (t) => {
  const problems = Array.from({ length: 100 }, (_, index) => `            - problem ${index}`)
  const tap = FAILED.replace('            - "status 500"', () => problems.join('\n'))
  const lines = linesOf(summaryOf(tap))
  const from = lines.indexOf('  GET /api/: 500')
  t.equal(lines[from + 7], '      - problem 5')
  t.equal(lines[from + 8], '    at test/d.test.ts:12')
  t.equal(lines[from + 9], '  bare')
  t.end()
})

t.test('nothing passed in a run without output', (t) => {
  t.strictSame(linesOf(summaryOf('')), ['0 passed, 0 failed'])
  t.end()
})

t.test('a file that passed in a second run is reported, and is no failure', async (t) => {
  const summary = summaryOf(FAILED, new Set(['test/a.test.ts']))
  const lines = linesOf(summary)
  t.ok(lines.includes('ok in a second run only: test/a.test.ts: outer'))
  t.notOk(lines.includes('not ok: test/a.test.ts: outer'))
  t.equal(lines.at(-1), `${summary.passed} passed, ${summary.failures.length} failed`)
})
