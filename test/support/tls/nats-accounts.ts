/** Configuration of a NATS server with operator accounts, and the credentials of one user. */
import { randomUUID } from 'node:crypto'
import { nkeys } from 'nats'

type KeyPair = ReturnType<typeof nkeys.createUser>

const utf8 = new TextEncoder()
const HEADER = encode({ typ: 'JWT', alg: 'ed25519-nkey' })
const UNLIMITED = {
  subs: -1,
  data: -1,
  payload: -1,
  imports: -1,
  exports: -1,
  wildcards: true,
  conn: -1,
  leaf: -1,
  mem_storage: -1,
  disk_storage: -1,
  streams: -1,
  consumer: -1,
}

function encode(claims: object): string {
  return Buffer.from(JSON.stringify(claims)).toString('base64url')
}

function signed(issuer: KeyPair, subject: string, name: string, nats: object): string {
  const iat = Math.floor(Date.now() / 1_000)
  const ids = { jti: randomUUID(), iat, iss: issuer.getPublicKey(), sub: subject, name }
  const body = `${HEADER}.${encode({ ...ids, nats: { version: 2, ...nats } })}`
  return `${body}.${Buffer.from(issuer.sign(utf8.encode(body))).toString('base64url')}`
}

/** Lines for the server's file of settings, and the text of a `.creds` file. */
export function makeNatsAccounts(): { readonly settings: string; readonly creds: string } {
  const operator = nkeys.createOperator()
  const account = nkeys.createAccount()
  const system = nkeys.createAccount()
  const user = nkeys.createUser()
  const accountJwt = (pair: KeyPair, name: string) =>
    signed(operator, pair.getPublicKey(), name, { type: 'account', limits: UNLIMITED })
  const operatorJwt = signed(operator, operator.getPublicKey(), 'operator', { type: 'operator' })
  const limits = { subs: -1, data: -1, payload: -1, pub: {}, sub: {} }
  const userJwt = signed(account, user.getPublicKey(), 'user', { type: 'user', ...limits })
  const seed = Buffer.from(user.getSeed()).toString()
  return {
    settings: `
operator: ${operatorJwt}
system_account: ${system.getPublicKey()}
resolver: MEMORY
resolver_preload: {
  ${account.getPublicKey()}: ${accountJwt(account, 'sluice')}
  ${system.getPublicKey()}: ${signed(operator, system.getPublicKey(), 'system', { type: 'account', limits: {} })}
}
`,
    creds: `-----BEGIN NATS USER JWT-----
${userJwt}
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
${seed}
------END USER NKEY SEED------
`,
  }
}
