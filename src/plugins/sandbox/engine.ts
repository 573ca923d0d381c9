/** The interpreter: QuickJS as WebAssembly. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import base from '@jitl/quickjs-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSEmscriptenModule,
  type QuickJSRuntime,
} from 'quickjs-emscripten-core'
import { PAGE_BYTES } from './memory-total.ts'

/** The compiled interpreter. Only this module knows its type. */
export type Engine = object

type Memory = { readonly buffer: { readonly byteLength: number } }

export type Machine = { readonly runtime: QuickJSRuntime; pages(): number }

/** Node's types do not name WebAssembly. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<Engine>
  readonly Memory: new (pages: { initial: number; maximum: number }) => Memory
}

/** The pages of a new machine. */
export const PAGES_FIRST = 256
// The types of the module, which bundlers use too, place its default one level down.
const variant = 'default' in base ? base.default : base

/** Called once for all threads. */
export async function compileEngine(): Promise<Engine> {
  const file = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')
  return await WebAssembly.compile(await readFile(file))
}

/**
 * Makes an instance with its own memory. The bound on the heap alone does not cover memory that the
 * interpreter allocates around it.
 */
export async function newMachine(engine: Engine, memoryBytesMax: number): Promise<Machine> {
  const maximum = Math.floor(memoryBytesMax / PAGE_BYTES)
  const wasmMemory = new WebAssembly.Memory({ initial: PAGES_FIRST, maximum })
  const bounded = newVariant(variant, { wasmModule: engine, wasmMemory })
  const importModuleLoader = async () => {
    const given = await bounded.importModuleLoader()
    const inner = typeof given === 'function' ? given : given.default
    const load = typeof inner === 'function' ? inner : inner.default
    return async () => withNativeTexts(await load())
  }
  const module = await newQuickJSWASMModuleFromVariant({ ...bounded, importModuleLoader })
  return {
    runtime: module.newRuntime(),
    pages: () => wasmMemory.buffer.byteLength / PAGE_BYTES,
  }
}

type EngineModule = Pick<
  QuickJSEmscriptenModule,
  'HEAPU8' | 'lengthBytesUTF8' | 'stringToUTF8' | 'UTF8ToString'
>

/** Node's own code converts texts. The loops of Emscripten took a fifth of the time of an event. */
function withNativeTexts<T extends EngineModule>(module: T): T {
  const encoder = new TextEncoder()
  module.lengthBytesUTF8 = (text) => Buffer.byteLength(text)
  module.stringToUTF8 = (text, at, bytesMax = Number.POSITIVE_INFINITY) => {
    // Without this check, a text for which there is no memory would overwrite the machine's.
    if (at === 0) throw new RangeError('no memory is left')
    const last = Math.min(at + bytesMax, module.HEAPU8.length) - 1
    const { written } = encoder.encodeInto(text, module.HEAPU8.subarray(at, last))
    module.HEAPU8[at + written] = 0
  }
  module.UTF8ToString = (at) => {
    // The engine could not make a text of the value.
    if (at === 0) return ''
    const bytes = module.HEAPU8
    return Buffer.from(bytes.buffer, at, bytes.indexOf(0, at) - at).toString('utf8')
  }
  return module
}
