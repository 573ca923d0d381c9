/** Plugin code that asks for too much memory or time. */
import { type Abuse, runs } from './sandbox-abuses.ts'

const QUICKJS = 'QuickJS limits'
const FLOOD = 'floods'

/** Time, memory, stack and the server's attention, used without end. */
export const BOMBS: readonly Abuse[] = [
  {
    name: 'an event over a megabyte fails',
    idea: QUICKJS,
    code: runs(`event.properties.big = 'x'.repeat(1_100_000)`),
    outcome: 'failed',
    value: /characters/,
  },
  {
    name: 'an endless loop is cut',
    idea: QUICKJS,
    code: runs(`for (;;);`),
    outcome: 'timeout',
  },
  {
    name: 'an endless loop that catches its interruption is cut',
    idea: QUICKJS,
    code: runs(`for (;;) { try { for (;;); } catch {} finally { for (;;); } }`),
    outcome: 'timeout',
  },
  {
    name: 'an endless loop of promises is cut',
    idea: QUICKJS,
    code: runs(`for (;;) await null`),
    outcome: 'timeout',
  },
  {
    name: 'promises that call themselves behind the answer are cut',
    idea: QUICKJS,
    code: `exports.processEvent = (event) => {
      const again = () => { Promise.resolve().then(again) }
      again()
      return event
    }`,
    outcome: 'timeout',
  },
  {
    name: 'a promise that nobody settles is cut',
    idea: QUICKJS,
    code: runs(`await new Promise(() => {})`),
    outcome: 'timeout',
  },
  {
    name: 'a loop at the top level is refused',
    idea: QUICKJS,
    code: `for (;;);`,
    outcome: 'refused late',
  },
  {
    name: 'a pattern that backtracks without end is cut',
    idea: 'ReDoS',
    code: runs(`/^(a+)+$/.test('a'.repeat(40) + '!')`),
    outcome: 'timeout',
  },
  {
    name: 'work inside the engine that looks at no clock costs the thread',
    idea: QUICKJS,
    code: runs(`Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)`),
    outcome: 'timeout',
  },
  {
    name: 'an array that grows without end runs out of memory',
    idea: 'memory bombs',
    code: runs(`const all = []; for (;;) all.push(new Array(1_000).fill({}))`),
    outcome: 'failed',
    value: /memory/,
  },
  {
    name: 'a text that doubles runs out of memory',
    idea: 'memory bombs',
    code: runs(`let text = 'x'; for (;;) text += text`),
    outcome: 'failed',
  },
  {
    name: 'buffers run out of memory',
    idea: 'memory bombs',
    code: runs(`const all = []; for (;;) all.push(new Uint8Array(1_000_000))`),
    outcome: 'failed',
    value: /memory/,
  },
  {
    name: 'a zip bomb is not inflated',
    idea: 'memory bombs',
    code: runs(`const { gzipSync, gunzipSync } = require('zlib')
      const bomb = gzipSync(new Uint8Array(8_000_000))
      gunzipSync(gzipSync(Buffer.concat([bomb, bomb])))
      gunzipSync(Buffer.concat([bomb, bomb]))`),
    outcome: 'failed',
  },
  {
    name: 'recursion without end runs out of stack',
    idea: QUICKJS,
    code: runs(`const deeper = () => deeper() + 1; deeper()`),
    outcome: 'failed',
    value: /stack/,
  },
  {
    name: 'recursion through getters and sorting runs out of stack',
    idea: QUICKJS,
    code: runs(`const deeper = () => [2, 1].sort(() => deeper()) ; deeper()`),
    outcome: 'failed',
    value: /stack/,
  },
  {
    name: 'JSON that nests without end runs out of stack',
    idea: 'JSON bombs',
    code: runs(`JSON.parse('['.repeat(1_000_000))`),
    outcome: 'failed',
  },
  {
    name: 'an event that nests without end is cut',
    idea: 'JSON bombs',
    code: runs(
      `let deep = {}; for (let n = 0; n < 200_000; n++) deep = { deep }; event.properties = deep`,
    ),
    outcome: ['failed', 'timeout'],
  },
  {
    name: 'a pattern that nests without end runs out of stack',
    idea: 'ReDoS',
    code: runs(`new RegExp('('.repeat(200_000) + ')'.repeat(200_000))`),
    outcome: 'failed',
  },
  {
    name: 'a number with a million digits is computed or cut',
    idea: QUICKJS,
    code: runs(`String((2n ** 20_000n) ** 3n).length`),
    outcome: 'kept',
  },
  {
    name: 'a flood of log entries is thinned',
    idea: FLOOD,
    code: runs(`for (let n = 0; n < 50_000; n++) console.log('x'.repeat(100), n)`),
    outcome: 'kept',
  },
  {
    name: 'a flood of calls to the server is refused',
    idea: FLOOD,
    code: runs(`const all = []; for (let n = 0; n < 5_000; n++) all.push(fetch('https://example.com'))
      await Promise.all(all)`),
    outcome: 'failed',
    value: /too many calls/,
  },
  {
    name: 'a call to the server over a megabyte is refused',
    idea: FLOOD,
    code: runs(`await posthog.capture('x', { big: 'x'.repeat(1_100_000) })`),
    outcome: 'failed',
    value: /characters/,
  },
  {
    name: 'random bytes without end are refused',
    idea: FLOOD,
    code: runs(`require('crypto').randomBytes(1e9)`),
    outcome: 'failed',
    value: /bytes/,
  },
]
