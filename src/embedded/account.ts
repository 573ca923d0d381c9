/** Chooses the account that Postgres runs as. */
import { readFile, stat } from 'node:fs/promises'
import { AppError } from '../core/code.ts'

/** The user and group that Postgres runs as. */
export type Account = { readonly uid: number; readonly gid: number }

/** Postgres refuses to run as root. The first of these accounts that exists is used. */
const ACCOUNT_NAMES = ['postgres', 'nobody']

/**
 * The account for Postgres when this process is root; `undefined` when it is not, and Postgres runs
 * as the process does. An existing data folder keeps its owner, whatever users were added since.
 * @throws {AppError} `failed_precondition` when root finds no unprivileged account, or the data
 * folder has another owner.
 */
export async function chooseAccount(dataFolder: string): Promise<Account | undefined> {
  const owner = await stat(dataFolder).catch(() => undefined) // Missing: nobody's yet.
  const uid = process.getuid?.()
  if (uid !== 0) {
    if (owner === undefined || owner.uid === uid) return undefined
    throw new AppError(
      'failed_precondition',
      `${dataFolder} belongs to user id ${owner.uid}, this is ${uid}: ` +
        'start as that user or as root, or set DATA_DIR',
    )
  }
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '') // Reported as no account.
  for (const name of ACCOUNT_NAMES) {
    const account = findAccount(users, name)
    if (account !== undefined) return account
  }
  throw new AppError(
    'failed_precondition',
    `Postgres refuses to run as root and there is no user ${ACCOUNT_NAMES.join(' or ')}: ` +
      'add one, run as an ordinary user, or set DATABASE_URL',
  )
}

/** Reads one entry of a passwd file. Entries with uid 0 are skipped. */
export function findAccount(passwd: string, name: string): Account | undefined {
  for (const line of passwd.split('\n')) {
    const [user, , uidText, gidText] = line.split(':')
    if (user !== name) continue
    const uid = Number(uidText)
    const gid = Number(gidText)
    if (Number.isInteger(uid) && uid > 0 && Number.isInteger(gid) && gid >= 0) return { uid, gid }
  }
  return undefined
}
