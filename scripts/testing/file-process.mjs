// One process of a run, for one test file or for several.
import { spawn } from 'node:child_process'
import { root } from '../ensure.mjs'
import { endProcessesOf } from './leftovers.mjs'
import { processorClock } from './processor-time.mjs'

/** Multiple of its limit for a file that disables its own. */
const UNLIMITED = 2

const running = new Set()
const children = processorClock({ isOwn: false })

/** Ends all processes of the run, and what they started. */
export function endAllProcesses() {
  for (const end of running) end()
}

/**
 * Runs a module until it ends or its limit does. Nothing that it started is left then.
 * @param limitS tap ends a test by it and says where it hung, unless the process cannot: then all ends
 * `graceS` later.
 * @param onLine each line of its standard output as it comes.
 * @returns `problem`: why it failed as a process, `undefined` when it ended by itself with status 0
 * or 1; `leftovers`: how many processes it had left behind; `processorS`: seconds that it and all that
 * it waited for have computed.
 */
export async function runProcess({ module, args = [], env, limitS, graceS, folders, onLine }) {
  if (running.size === 0) children.sinceLast() // Time until now belongs to no file.
  const child = spawn(process.execPath, ['--enable-source-maps', ...args, module], {
    cwd: root,
    env: { ...env, TAP_TIMEOUT: String(limitS) },
    // Its own process group, so that everything in it can be ended.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const mark = { group: child.pid, folders: Object.values(folders) }
  let isOverLimit = false
  let timer
  const limit = (seconds) => {
    clearTimeout(timer)
    timer = setTimeout(
      () => {
        isOverLimit = true
        endProcessesOf(mark)
      },
      (seconds + graceS) * 1_000,
    )
  }
  limit(limitS)
  // `t.setTimeout` of a file sets a limit of its own; 0 is none, which is still no reason to hang.
  child.on('message', ({ setTimeout: ms }) => {
    if (typeof ms === 'number') limit(ms > 0 ? ms / 1_000 : UNLIMITED * limitS)
  })
  const end = () => endProcessesOf(mark)
  running.add(end)
  splitLines(child.stdout, onLine)
  const outcome = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => {
      // Processes that it left may hold its output open.
      const processorS = children.sinceLast()
      const leftovers = endProcessesOf(mark)
      child.once('close', () => resolve({ code, signal, leftovers, processorS }))
    })
  })
  clearTimeout(timer)
  running.delete(end)
  if (typeof outcome === 'string') return { problem: outcome, leftovers: 0, processorS: 0 }
  const { code, signal, leftovers, processorS } = outcome
  const isUsual = code === 0 || code === 1
  const problem = isUsual ? undefined : `ended with ${signal ?? code}`
  if (!isOverLimit) return { problem, code, leftovers, processorS }
  return { problem: 'did not end within its limit', leftovers, processorS }
}

/** Runs Node on a program that starts no process. Resolves with everything that it printed. */
export async function runProgram(args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const end = () => child.kill('SIGKILL')
  running.add(end)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  let processorS = 0
  child.once('exit', () => {
    processorS = children.sinceLast()
  })
  const code = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (status, signal) => resolve(signal ?? status))
  })
  running.delete(end)
  return { code, output, processorS }
}

function splitLines(stream, onLine) {
  let rest = ''
  stream.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) onLine(line)
  })
  stream.on('end', () => {
    if (rest !== '') onLine(rest)
  })
}
