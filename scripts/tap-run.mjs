// `node scripts/tap-run.mjs TIMEOUT_S FILE ...`: each test file in a process of its own, two at a time;
// TAP on standard output, a line a file on standard error. tap's own command line gives each process
// two module loaders more, for mocks and coverage, which nothing here uses: most files are small, and
// those loaders took twice their time.
import t from 'tap'
import { root } from './ensure.mjs'

const JOBS = 2
const NODE_ARGS = ['--enable-source-maps', '--import=tsx']

const [timeoutS, ...files] = process.argv.slice(2)
const running = new Set()
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.once(signal, () => {
    for (const { proc } of running) proc?.kill(signal)
    process.exit(1)
  })
}

// The file's own bound: without it, thirty seconds.
const env = { ...process.env, TAP_TIMEOUT: timeoutS }
t.jobs = JOBS
t.setTimeout(0)
for (const file of files) {
  const options = { cwd: root, env, buffered: true, timeout: Number(timeoutS) * 1_000 }
  const { subtest } = t.spawn(process.execPath, [...NODE_ARGS, file], options, file)
  running.add(subtest)
  subtest.on('complete', ({ ok, time }) => {
    running.delete(subtest)
    const seconds = time === null ? '' : ` ${(time / 1_000).toFixed(1)} s`
    process.stderr.write(`${ok ? 'ok' : 'NOT OK'} ${file}${seconds}\n`)
  })
}
