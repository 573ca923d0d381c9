/** The modules that a plugin may import. */
import type { Kit } from './kit.ts'

type Bytes = Uint8Array & { toString(encoding?: string): string }

/** Adds the modules besides `url`: hashes, compression, and the names of types. */
export function installModules({ native, modules }: Kit): void {
  const SandboxBuffer: {
    from(value: unknown, encoding?: string): Bytes
    bytesOf(value: unknown, encoding?: string): ArrayBuffer
    concat(parts: readonly Uint8Array[]): Bytes
  } = Reflect.get(globalThis as object, 'Buffer')
  const { from, bytesOf } = SandboxBuffer

  class Hash {
    #chunks: unknown[] = []
    #algorithm: string
    #key: ArrayBuffer | undefined
    constructor(algorithm: unknown, key?: unknown) {
      this.#algorithm = String(algorithm).toLowerCase().replace(/-/g, '')
      this.#key = key === undefined ? undefined : bytesOf(key)
      if (!/^(?:md5|sha1|sha256|sha512)$/.test(this.#algorithm)) {
        throw new Error('only md5, sha1, sha256 and sha512 are known')
      }
    }
    update(data: unknown, encoding?: string): this {
      const isText = typeof data === 'string' && /^(?:utf-?8)?$/i.test(encoding ?? '')
      this.#chunks.push(isText ? data : bytesOf(data, encoding))
      return this
    }
    digest(encoding?: string): string | Bytes {
      const [first, ...others] = this.#chunks
      const data =
        others.length === 0 && typeof first === 'string'
          ? first
          : SandboxBuffer.concat(this.#chunks.map((chunk) => from(chunk))).buffer
      const digest = from(native.hash(this.#algorithm, this.#key, data as ArrayBuffer))
      return encoding === undefined ? digest : digest.toString(encoding)
    }
  }
  const crypto = {
    createHash: (algorithm: unknown) => new Hash(algorithm),
    createHmac: (algorithm: unknown, key: unknown) => new Hash(algorithm, key ?? ''),
    randomUUID: () => native.uuid(),
    randomBytes: (size: number) => from(native.random(size)),
  }
  const zip = (operation: string) => (data: unknown) => from(native.zip(operation, bytesOf(data)))
  const zlib = {
    gzipSync: zip('gzip'),
    gunzipSync: zip('gunzip'),
    deflateSync: zip('deflate'),
    inflateSync: zip('inflate'),
  }
  modules.set('crypto', crypto)
  modules.set('zlib', zlib)
  const { RetryError } = globalThis as unknown as { RetryError: unknown }
  modules.set('@posthog/plugin-scaffold', { RetryError })
  modules.set('@posthog/plugin-contrib', { RetryError })
  for (const [name, module] of [...modules]) {
    const made = Object.assign({}, module)
    Object.defineProperty(made, 'default', { value: made })
    modules.set(name, made)
    modules.set(`node:${name}`, made)
  }
}
