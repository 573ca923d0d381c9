// `node scripts/sim.mjs [--seeds N] [--from N] [--jobs N]` runs the simulation of a cluster
// (test/sim) for longer than `npm test` does, and a tenth of the seeds of that of the copy of events
// (test/sim/replication). The jobs share the seeds. Exits 1 when one has failed.
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { ensureInstalled, ensureNode, root, say } from './ensure.mjs'

ensureNode()
await ensureInstalled({ dev: true })

const text = (value) => ({ type: 'string', default: value })
const options = { seeds: text('50000'), from: text('1'), jobs: text('1') }
const { values } = parseArgs({ options })
const [seeds, from, jobs] = [values.seeds, values.from, values.jobs].map(Number)
if (![seeds, from, jobs].every((number) => Number.isSafeInteger(number) && number > 0)) {
  say('--seeds, --from and --jobs are positive numbers')
  process.exit(2)
}
const share = Math.ceil(seeds / jobs)
const runFile = (file, job, count) =>
  new Promise((resolve) => {
    const first = from + job * count
    const env = { ...process.env, SIM_SEEDS: String(count), SIM_FROM: String(first) }
    const args = ['--import', 'tsx', file]
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' })
    child.on('error', () => resolve(1))
    child.on('close', resolve)
  })
const run = async (job) => {
  const cluster = await runFile('test/sim/seeds.test.ts', job, share)
  const copy = await runFile('test/sim/replication/seeds.test.ts', job, Math.ceil(share / 10))
  return cluster === 0 ? copy : cluster
}
const codes = await Promise.all(Array.from({ length: jobs }, (_, job) => run(job)))
process.exitCode = codes.every((code) => code === 0) ? 0 : 1
