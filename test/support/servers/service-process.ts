/** Starts servers that are not of the product. */
import { type ChildProcess, spawn } from 'node:child_process'
import { connect } from 'node:net'
import type { Test } from 'tap'
import { freeze } from './freeze.ts'

/** A real server of the test's own: killed, frozen and started again by it. */
export type ServiceProcess = {
  readonly port: number
  readonly pid: number
  /** Freezes it; it does nothing more once this returns. */
  freeze(): void
  thaw(): void
  /** Ends it with SIGKILL unless told, and waits until it is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Starts it again on the same port and data, and waits until it answers. */
  start(): Promise<void>
}

export type ServiceCommand = {
  readonly program: string
  readonly args: readonly string[]
  readonly port: number
  /** Sent after connecting; the answer must hold `expect`. */
  readonly hello?: string
  readonly expect: string
}

const READY_MS_MAX = 60_000
const RETRY_MS = 20

/** Starts the server and waits until it answers; ends it after the test. */
export async function startService(t: Test, command: ServiceCommand): Promise<ServiceProcess> {
  let child: ChildProcess | undefined
  let output = ''
  const start = async () => {
    const running = spawn(command.program, [...command.args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Debian keeps servers where the path of ordinary users does not look.
      env: { PATH: `${process.env['PATH'] ?? ''}:/usr/local/sbin:/usr/sbin:/sbin` },
    })
    child = running
    let failure: Error | undefined
    running.once('error', (error) => {
      failure = error
    })
    for (const stream of [running.stdout, running.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-4_000)
      })
    }
    const deadline = performance.now() + READY_MS_MAX
    while (!(await answers(command))) {
      if (failure !== undefined) throw failure
      if (running.exitCode !== null || performance.now() > deadline) {
        throw new Error(`${command.program} does not answer on ${command.port}:\n${output}`)
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
    const running = child
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
    const gone = new Promise((resolve) => running.once('exit', resolve))
    running.kill(signal)
    if (signal === 'SIGKILL') running.kill('SIGCONT')
    await gone
  }
  t.teardown(() => kill())
  await start()
  return {
    port: command.port,
    get pid() {
      return child?.pid ?? 0
    },
    freeze: () => {
      if (child?.pid !== undefined) freeze(child.pid)
    },
    thaw: () => {
      child?.kill('SIGCONT')
    },
    kill,
    start,
  }
}

function answers({ port, hello, expect }: ServiceCommand): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (answered: boolean) => {
      socket.destroy()
      resolve(answered)
    }
    socket.setTimeout(1_000, () => end(false))
    socket.once('error', () => end(false))
    socket.once('connect', () => {
      if (hello !== undefined) socket.write(hello)
    })
    let text = ''
    socket.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      if (text.includes(expect)) end(true)
    })
  })
}
