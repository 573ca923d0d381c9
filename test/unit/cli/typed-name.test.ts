import t from 'tap'
import { asTyped, typedName } from '../../../src/cli/typed-name.ts'

const PATH = '/usr/bin:/usr/local/bin'

t.test('the program is named as this person can type it', async (t) => {
  const at = (program: string, cwd: string, env: Record<string, string> = {}) =>
    typedName(program, { PATH, ...env }, cwd)
  t.equal(at('/usr/local/bin/sluice', '/srv'), 'sluice')
  t.equal(at('/srv/sluice/bin/sluice', '/srv/sluice'), 'bin/sluice')
  t.equal(at('/srv/sluice/bin/sluice', '/srv/sluice/bin'), './sluice')
  t.equal(at('/srv/sluice/bin/sluice', '/home/ann'), '/srv/sluice/bin/sluice')
  t.equal(at('/srv/sluice/bin/sluice', '/srv/sluice', { npm_command: 'exec' }), 'npx sluice')
  t.equal(
    at('/srv/sluice/scripts/start.mjs', '/srv/sluice', { npm_command: 'start' }),
    'npx sluice',
  )
})

t.test('commands within a text are named so, other words stay', async (t) => {
  const text =
    'sluice plugin test .\nRun "sluice admin create-key", or npx sluice status. Sluice runs.'
  t.equal(
    asTyped(text, 'bin/sluice'),
    'bin/sluice plugin test .\nRun "bin/sluice admin create-key", or npx sluice status. Sluice runs.',
  )
  t.equal(asTyped('postgres://x/sluice and /bin/sluice x', 'npx sluice').includes('npx'), false)
  t.equal(asTyped(text, 'sluice'), text)
})
