/** Entry of a project's thread: one sandbox for each of its plugin configs. */
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../core/clock.ts'
import { assert } from '../../core/code.ts'
import { Beat } from './beat.ts'
import { openCpuTime } from './cpu-time.ts'
import { MemoryTotal } from './memory-total.ts'
import {
  type CallRequest,
  LOST,
  type LoadRequest,
  sandboxError,
  type ThreadData,
  type ThreadReply,
  type ThreadRequest,
} from './protocol.ts'
import { Sandbox, type SandboxDeps } from './sandbox.ts'
import { Vm } from './vm.ts'

const NICE = 10

const port = parentPort
assert(port !== null, 'a sandbox worker runs in a thread')
const { engine, beat: shared, memory }: ThreadData = workerData
const sandboxes = new Map<number, Sandbox>()
/** Sandboxes that are being loaded. */
const loading = new Set<number>()

try {
  // On Linux this applies to the thread only. Plugins yield to the server.
  setPriority(0, NICE)
} catch {
  // Where this is not allowed, all threads have the same priority.
}

const deps: SandboxDeps = {
  clock: systemClock,
  cpuTime: openCpuTime(systemClock),
  beat: new Beat(shared),
  memory: new MemoryTotal(memory),
  post,
  heldUp(by, ms) {
    for (const each of sandboxes.values()) if (each !== by) each.waited(ms)
  },
  lost: ({ id }) => sandboxes.delete(id),
}

port.on('message', (request: ThreadRequest) => {
  switch (request.kind) {
    case 'load':
      void load(request)
      return
    case 'call':
      call(request)
      return
    case 'answer':
      sandboxes.get(request.sandbox)?.answer(request)
      return
    case 'unload':
      loading.delete(request.sandbox)
      sandboxes.get(request.sandbox)?.end()
      return
    default:
      request satisfies never
  }
})

async function load(request: LoadRequest): Promise<void> {
  const id = request.sandbox
  loading.add(id)
  try {
    const vm = await Vm.create({ clock: systemClock, engine })
    // Unloaded meanwhile.
    if (!loading.delete(id)) return
    const sandbox = new Sandbox(deps, vm, request)
    sandboxes.set(id, sandbox)
    sandbox.load()
  } catch (error) {
    loading.delete(id)
    const reason = error instanceof Error ? error.message : 'unknown'
    post({ kind: 'refused', sandbox: id, error: sandboxError(`No sandbox was made: ${reason}`) })
  }
}

function call(request: CallRequest): void {
  const sandbox = sandboxes.get(request.sandbox)
  if (sandbox !== undefined) {
    sandbox.start(request)
    return
  }
  const { sandbox: id, call } = request
  post({ kind: 'cut', sandbox: id, call, error: LOST, text: '', isLost: true, isExact: false })
}

function post(reply: ThreadReply): void {
  port?.postMessage(reply)
}
