/** Parts of a call over gRPC: the codecs of its method, its metadata and its messages. */
import { Metadata } from '@grpc/grpc-js'
import { assert } from '../core/code.ts'
import { isPaged, type PagedMethod } from './proto/page-pieces.ts'
import { methodByPath, serviceDefinition } from './proto/proto.ts'

export type Method = {
  readonly path: string
  /** Set when its answers may be sent in pieces. */
  readonly paged: PagedMethod | undefined
  readonly serialize: (message: object) => Buffer
  readonly deserialize: (bytes: Buffer) => object
}

/** @throws when the contract has no such method, which is a mistake of the caller. */
export function methodOf(path: string): Method {
  const known = methodByPath(path)
  assert(known !== undefined, `no method ${path}`)
  const definition = serviceDefinition(known.service)[known.name]
  assert(definition !== undefined, `no definition of ${path}`)
  return {
    path,
    paged: isPaged(known) ? known : undefined,
    serialize: definition.requestSerialize,
    deserialize: definition.responseDeserialize,
  }
}

export function toMetadata(values: Readonly<Record<string, string>>): Metadata {
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(values)) metadata.set(name, value)
  return metadata
}

/** The messages with the one that was read already. */
export function withFirst(
  first: IteratorResult<object>,
  rest: AsyncIterator<object>,
): AsyncIterable<object> {
  let next: IteratorResult<object> | undefined = first
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const known = next
        next = undefined
        return known ?? (await rest.next())
      },
      return: async () => (await rest.return?.()) ?? { done: true, value: undefined },
    }),
  }
}
