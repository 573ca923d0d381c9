import t from 'tap'
import { type BannerFacts, banner, commandLine } from '../../../../src/cli/service/banner.ts'

const FACTS: BannerFacts = {
  url: 'http://127.0.0.1:8000',
  loginLink: 'http://127.0.0.1:8000/login#secret',
  grpc: '127.0.0.1:8001',
  dataDir: '/srv/.data',
  hasOwnDatabase: true,
  project: { id: 3, apiToken: 'phc_of_the_test' },
  personalKey: 'phx_of_the_test',
  keysFile: '/srv/.data/first-keys.json',
  command: 'npx sluice',
}

t.test(
  'a first start shows addresses, keys, and lines to type with the keys in them',
  async (t) => {
    const text = banner(FACTS)
    for (const part of [
      'signs you in once, within 15 minutes:\n\n  http://127.0.0.1:8000/login#secret\n',
      'http://127.0.0.1:8000\n',
      '127.0.0.1:8001\n',
      '/srv/.data\n',
      'phx_of_the_test   (shown once; also in /srv/.data/first-keys.json)',
      `/capture/ -H 'Content-Type: application/json' -d '{"api_key":"phc_of_the_test",`,
      "curl http://127.0.0.1:8000/api/projects/3/events/ -H 'Authorization: Bearer phx_of_the_test'",
      '  npx sluice status\n',
      '  npx sluice demo\n',
      'Ctrl-C stops it.',
    ]) {
      t.ok(text.includes(part), part)
    }
  },
)

t.test('a later start has the project key, and says how to have a personal key', async (t) => {
  const later = banner({ ...FACTS, personalKey: undefined })
  t.match(later, /in \/srv\/\.data\/first-keys\.json; npx sluice admin create-key makes one/)
  t.match(later, 'phc_of_the_test')
  const moved = banner({ ...FACTS, personalKey: undefined, keysFile: undefined })
  t.match(moved, /Personal API key {2}npx sluice admin create-key makes one\n/)
})

t.test('without anybody to sign in, a start says what prints a link', async (t) => {
  const text = banner({ ...FACTS, loginLink: undefined })
  t.match(text, '\n  npx sluice admin login-link --email <address> prints one\n')
  t.notMatch(text, '#')
})

t.test('commands find a process that is not at its usual place', async (t) => {
  const command = commandLine('npx sluice', { DATA_DIR: "/my data/it's", GRPC_PORT: '9001' })
  t.equal(command, `DATA_DIR='/my data/it'\\''s' GRPC_PORT=9001 npx sluice`)
  t.match(banner({ ...FACTS, command }), `${command} status`)
})
