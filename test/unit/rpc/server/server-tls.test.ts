import { Client, type Metadata, Metadata as MetadataOf, status } from '@grpc/grpc-js'
import protobuf from 'protobufjs'
import t, { type Test } from 'tap'
import { readTlsFiles } from '../../../../src/core/config/tls-files.ts'
import { STRANGER_MESSAGE_BYTES_MAX } from '../../../../src/rpc/server/call-bounds.ts'
import { type Dial, memberDial } from '../../../../src/wire/dial.ts'
import {
  CAPTURE,
  INGEST_BATCH,
  MEMBER,
  SERVICE,
  startDoorServer,
} from '../../../support/grpc/guarded-server.ts'
import { type Certificate, makeAuthority } from '../../../support/tls/certificates.ts'

/** One unknown field: more than a stranger may send, and less than a member. */
const LARGE = Buffer.from(
  protobuf.Writer.create()
    .uint32((900 << 3) | 2)
    .bytes(Buffer.alloc(STRANGER_MESSAGE_BYTES_MAX))
    .finish(),
)
const NAMES = ['IP:127.0.0.1', 'DNS:localhost']

/** @returns the status of a call with an empty request, unless told. */
async function call(
  t: Test,
  { port, dial }: { port: number; dial: Dial },
  path: string,
  headers: Readonly<Record<string, string>>,
  request: Buffer = Buffer.alloc(0),
): Promise<number> {
  const client = new Client(`127.0.0.1:${port}`, dial.credentials, {
    ...dial.options,
    'grpc.use_local_subchannel_pool': 1,
  })
  t.teardown(() => client.close())
  const metadata: Metadata = new MetadataOf()
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value)
  const same = (bytes: Buffer) => bytes
  return new Promise((resolve) => {
    client.makeUnaryRequest(path, same, same, request, metadata, (error) => {
      resolve(error === null ? status.OK : error.code)
    })
  })
}

function dialWith(ca?: string, shown?: Certificate, serverName?: string): Dial {
  const { cert, key } = shown ?? { cert: undefined, key: undefined }
  return memberDial({ ca, cert, key, serverName, plaintext: false, reflection: false })
}

t.test('a client believes the authority and the name, and nobody else', async (t) => {
  const authority = makeAuthority(t)
  const { cert, key } = authority.issue(['DNS:workers.example'])
  const { port } = await startDoorServer(t, {
    tls: readTlsFiles({ cert, key, ca: undefined }),
  })
  const at = (dial: Dial) => call(t, { port, dial }, CAPTURE, SERVICE)
  t.equal(await at(dialWith(authority.ca, undefined, 'workers.example')), status.OK)
  t.equal(await at(dialWith(authority.ca)), status.UNAVAILABLE, 'not of this address')
  const other = makeAuthority(t)
  t.equal(await at(dialWith(other.ca, undefined, 'workers.example')), status.UNAVAILABLE)
  t.equal(await at(dialWith()), status.UNAVAILABLE, 'plain text')
})

t.test('with an authority a member shows a certificate, a service needs none', async (t) => {
  const authority = makeAuthority(t)
  const server = authority.issue(NAMES)
  const tls = readTlsFiles({ ...server, ca: authority.ca })
  const { port } = await startDoorServer(t, { tls })
  const cases: [string, Dial, string, Readonly<Record<string, string>>, number][] = [
    ['a member', dialWith(authority.ca, authority.issue(NAMES)), INGEST_BATCH, MEMBER, status.OK],
    ['only a token', dialWith(authority.ca), INGEST_BATCH, MEMBER, status.UNAUTHENTICATED],
    [
      'a certificate of others',
      dialWith(authority.ca, makeAuthority(t).issue(NAMES)),
      INGEST_BATCH,
      MEMBER,
      status.UNAUTHENTICATED,
    ],
    [
      'only a certificate',
      dialWith(authority.ca, authority.issue(NAMES)),
      INGEST_BATCH,
      SERVICE,
      status.UNAUTHENTICATED,
    ],
    ['a service', dialWith(authority.ca), CAPTURE, SERVICE, status.OK],
    [
      'a member’s token in place of a key',
      dialWith(authority.ca),
      CAPTURE,
      { 'x-sluice-member': 'token-of-members' },
      status.UNAUTHENTICATED,
    ],
  ]
  for (const [what, dial, path, headers, expected] of cases) {
    t.equal(await call(t, { port, dial }, path, headers), expected, what)
  }
  const both = { ...SERVICE, 'x-sluice-member': 'token-of-members' }
  const sends = (dial: Dial) => call(t, { port, dial }, CAPTURE, both, LARGE)
  t.equal(await sends(dialWith(authority.ca)), status.RESOURCE_EXHAUSTED, 'bounds of a stranger')
  t.equal(await sends(dialWith(authority.ca, authority.issue(NAMES))), status.OK)
})

t.test('a certificate that has expired is none, of a worker and of a member', async (t) => {
  const authority = makeAuthority(t)
  const serve = async (shown: Certificate) => {
    const tls = readTlsFiles({ ...shown, ca: authority.ca })
    return await startDoorServer(t, { tls })
  }
  const expired = authority.issue(NAMES, -1)
  const old = await serve(expired)
  const service = { port: old.port, dial: dialWith(authority.ca) }
  t.equal(await call(t, service, CAPTURE, SERVICE), status.UNAVAILABLE, 'of a worker')
  const { port } = await serve(authority.issue(NAMES))
  const as = (shown: Certificate) =>
    call(t, { port, dial: dialWith(authority.ca, shown) }, INGEST_BATCH, MEMBER)
  t.equal(await as(expired), status.UNAUTHENTICATED, 'of a member')
  t.equal(await as(authority.issue(NAMES)), status.OK)
})

t.test('a file that is not there, or no certificate, is said to be that', async (t) => {
  const { cert, key } = makeAuthority(t).issue(NAMES)
  t.throws(() => readTlsFiles({ cert: '/no/such/file.pem', key, ca: undefined }), {
    code: 'failed_precondition',
    message: /\/no\/such\/file\.pem/,
  })
  const tls = readTlsFiles({ cert: key, key: cert, ca: undefined })
  await t.rejects(startDoorServer(t, { tls }), { code: 'failed_precondition' })
})
