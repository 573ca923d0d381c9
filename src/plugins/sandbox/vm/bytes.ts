/** Bytes and texts inside a sandbox. */
import type { Kit, Native } from './kit.ts'

/** The part of Node's `Buffer` that plugins use, and the browsers' functions for texts. */
export function installBytes({ native, define, modules }: Kit): void {
  const bufferOf = (view: ArrayBufferView): ArrayBuffer =>
    new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice().buffer

  class SandboxBuffer extends Uint8Array {
    static bytesOf(value: unknown, encoding = 'utf8'): ArrayBuffer {
      if (typeof value === 'string') return native.encode(value, encoding)
      if (value instanceof ArrayBuffer) return value
      if (ArrayBuffer.isView(value)) return bufferOf(value)
      if (Array.isArray(value)) return Uint8Array.from(value).buffer
      throw new TypeError('a text, bytes or a list of numbers is expected')
    }
    static isBuffer(value: unknown): boolean {
      return value instanceof SandboxBuffer
    }
    static alloc(size: number): SandboxBuffer {
      return new SandboxBuffer(size)
    }
    static byteLength(value: unknown, encoding?: string): number {
      return SandboxBuffer.bytesOf(value, encoding).byteLength
    }
    static concat(parts: readonly Uint8Array[]): SandboxBuffer {
      const size = parts.reduce((sum, { length }) => sum + length, 0)
      const all = new SandboxBuffer(size)
      let at = 0
      for (const part of parts) {
        all.set(part, at)
        at += part.length
      }
      return all
    }
    override toString(encoding = 'utf8'): string {
      return native.decode(bufferOf(this), encoding)
    }
  }
  Object.defineProperty(SandboxBuffer, 'name', { value: 'Buffer' })
  Object.defineProperty(SandboxBuffer, 'from', {
    value: (value: unknown, encoding?: string) =>
      new SandboxBuffer(SandboxBuffer.bytesOf(value, encoding)),
  })
  define('Buffer', SandboxBuffer)
  modules.set('buffer', { Buffer: SandboxBuffer })
  installTexts(native, define)

  function installTexts(from: Native, set: Kit['define']): void {
    class SandboxTextEncoder {
      readonly encoding = 'utf-8'
      encode(text: unknown = ''): Uint8Array {
        return new Uint8Array(from.encode(String(text), 'utf8'))
      }
    }
    class SandboxTextDecoder {
      readonly encoding = 'utf-8'
      decode(value?: ArrayBuffer | ArrayBufferView): string {
        return value === undefined ? '' : from.decode(SandboxBuffer.bytesOf(value), 'utf8')
      }
    }
    set('TextEncoder', SandboxTextEncoder)
    set('TextDecoder', SandboxTextDecoder)
    set('atob', (text: unknown) => from.decode(from.encode(String(text), 'base64'), 'latin1'))
    set('btoa', (text: unknown) => {
      const binary = String(text)
      for (let at = 0; at < binary.length; at++) {
        if (binary.charCodeAt(at) > 255) throw new RangeError('btoa: a character above 255')
      }
      return from.decode(from.encode(binary, 'latin1'), 'base64')
    })
  }
}
