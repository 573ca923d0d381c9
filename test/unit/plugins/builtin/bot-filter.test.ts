import fc from 'fast-check'
import t from 'tap'
import { BOT_AGENTS } from '../../../../src/plugins/builtin/bot-agents.ts'
import {
  pluginEvent,
  processed,
  processedProperties,
  refusedSettings,
  startBuiltin,
} from '../../../support/plugins/builtins.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const BOTS = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  `Mozilla/5.0 ${WEBKIT}; compatible; GPTBot/1.2; +https://openai.com/gptbot`,
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/120.0.0.0 Safari/537.36`,
  'python-requests/2.31.0',
  'curl/8.5.0',
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
  'Mozilla/5.0 (compatible; SomethingNew-Bot/1.0)',
]
const PEOPLE = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:121.0) Gecko/20100101 Firefox/121.0',
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Chrome/120.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (Linux; Android 10; CUBOT X30) ${WEBKIT} Chrome/120.0.0.0 Mobile Safari/537.36`,
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 [Pinterest/iOS]',
  'posthog-python/3.1.0',
  '',
]

t.test('events of programs are dropped, those of people stay', async (t) => {
  const instance = await startBuiltin('bot-filter')
  for (const name of ['$raw_user_agent', '$user_agent']) {
    for (const agent of BOTS) {
      t.equal(await processed(instance, pluginEvent({ [name]: agent })), null, agent)
    }
    for (const agent of PEOPLE) {
      t.strictSame(await processedProperties(instance, { [name]: agent }), { [name]: agent })
    }
  }
})

t.test('an event without a user agent is nobody to judge', async (t) => {
  const instance = await startBuiltin('bot-filter')
  for (const agent of [undefined, null, 7, ['curl/8.5.0']]) {
    const event = pluginEvent(agent === undefined ? {} : { $raw_user_agent: agent })
    t.equal(await processed(instance, event), event)
  }
})

t.test('they are marked when asked for', async (t) => {
  const instance = await startBuiltin('bot-filter', { action: 'mark' })
  const properties = await processedProperties(instance, { $raw_user_agent: 'curl/8.5.0' })
  t.strictSame(properties, { $raw_user_agent: 'curl/8.5.0', $is_bot: true, $bot_name: 'curl/' })
})

t.test('more bots can be named, and some that are none', async (t) => {
  const settings = { more_agents: 'Acme Monitor, InHouse', allowed_agents: 'curl/8.5.0' }
  const instance = await startBuiltin('bot-filter', settings)
  const outcome = (agent: string) => processed(instance, pluginEvent({ $user_agent: agent }))
  t.equal(await outcome('ACME MONITOR 1'), null)
  t.equal(await outcome('x inhouse'), null)
  t.equal(await outcome('curl/7.0.0'), null)
  t.ok(await outcome('CURL/8.5.0'))
})

t.test('parts of user agents are plain text, whatever signs they hold', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1, maxLength: 20 }), async (text) => {
      const part = text.trim()
      fc.pre(part !== '' && !/[,\n]/.test(part))
      const instance = await startBuiltin('bot-filter', { more_agents: part })
      t.equal(await processed(instance, pluginEvent({ $user_agent: `a${part}b` })), null)
    }),
    { numRuns: 50 },
  )
})

t.test('the list is in lower case and has nothing twice', (t) => {
  t.equal(new Set(BOT_AGENTS).size, BOT_AGENTS.length)
  for (const agent of BOT_AGENTS) t.equal(agent, agent.toLowerCase())
  t.end()
})

t.test('settings that cannot be used fail the set-up', (t) =>
  refusedSettings(t, 'bot-filter', [
    [{ action: 'block' }, /^The setting "action" must be one of drop, mark\.$/],
    [{ more_agents: 7 }, /"more_agents" must be a list/],
    [{ allowed_agents: { a: 1 } }, /"allowed_agents" must be a list/],
  ]),
)
