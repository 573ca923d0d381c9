/** Writes the cases in `test/api` by call of the contract as Markdown, for reading offline. */
import { status as grpcStatus } from '@grpc/grpc-js'
import { AppError, type Code } from '../../src/core/code.ts'
import { silentLog } from '../../src/core/log.ts'
import { toServiceError } from '../../src/rpc/server/status.ts'
import { HTTP_STATUS } from '../../src/wire/failure.ts'
import { type Endpoint, endpoints } from '../../test/api/generated/endpoints.ts'
import { BESIDE, type Shows } from '../../test/api/support/case.ts'
import type { Family } from '../../test/api/support/families.ts'
import { type Coverage, coverageOf } from '../../test/support/api/api-coverage.ts'

const KINDS: readonly Shows[] = ['success', 'error', 'permission', 'tenancy']
const LEVELS: Readonly<Record<number, string>> = { 1: 'member', 8: 'administrator', 15: 'owner' }

const HEAD = `# Tests of the interface

Made by \`npm run gen\` of the contract and of the cases that \`test/integration/manage/api.test.ts\` runs
against a running instance. What each call takes and answers is in [CALLS.md](CALLS.md).
`

/** The whole document. */
export function testsDocument(families: readonly Family[]): string {
  const all = endpoints()
  const coverage = coverageOf(families)
  const services = [...new Set(all.map(({ method }) => method.service))].sort()
  const parts = [
    HEAD,
    '## Calls\n',
    'The numbers are of cases, by the file that holds them.\n',
    ...services.map((service) =>
      serviceTable(
        service,
        all.filter(({ method }) => method.service === service),
        coverage,
      ),
    ),
    failureTable(),
    errorTable(families),
    links(families),
  ]
  return parts.join('\n')
}

function serviceTable(service: string, own: readonly Endpoint[], coverage: Coverage): string {
  const rows = own.map(({ name, method, policy }) => {
    const shown = KINDS.map((kind) => cell(coverage.of(name, kind)))
    return row([`\`${name}\``, `\`${method.name}\``, scopeOf(policy), levelOf(policy), ...shown])
  })
  return [
    `### ${service.replace(/^.*\./, '')}`,
    '',
    row(['Call', 'gRPC', 'Scope', 'Who', 'Success', 'Error', 'Permission', 'Tenancy']),
    row(Array.from({ length: 8 }, () => '---')),
    ...rows,
    '',
  ].join('\n')
}

function scopeOf({ scope }: Endpoint['policy']): string {
  return scope === '' ? '' : `\`${scope}\``
}

/** Level required of the caller, apart from the key's own limits. */
function levelOf({ parent, level, isStaffOnly, pluginLevel }: Endpoint['policy']): string {
  if (parent === 'public') return 'anybody'
  if (isStaffOnly) return 'staff'
  const who = LEVELS[level] ?? 'any user'
  return pluginLevel === 0 ? who : `${who}, plugin level ${pluginLevel}`
}

function cell(shown: ReturnType<Coverage['of']>): string {
  return shown.map(({ family, count }) => `${count} [${family.name}]`).join(', ')
}

function failureTable(): string {
  const codes = Object.keys(HTTP_STATUS) as Code[] // The keys of a table by code.
  const rows = codes.map((code) => {
    const { code: number } = toServiceError(new AppError(code, code), silentLog, '')
    return row([`\`${code}\``, `\`${grpcStatus[number]}\``, `${HTTP_STATUS[code]}`])
  })
  return [
    '## Failures\n',
    'What a failure is called inside, over gRPC and over HTTP. Some HTTP answers are more exact: 405,',
    '406, 413 and 415. A 429 and a 503 have `Retry-After`.\n',
    row(['Failure', 'gRPC', 'HTTP']),
    row(['---', '---', '---']),
    ...rows,
    '',
  ].join('\n')
}

/** Every error in a case, by status and code. */
function errorTable(families: readonly Family[]): string {
  const found = new Map<string, { type: string; count: number }>()
  for (const { expect, endpoint } of families.flatMap(({ cases }) => cases)) {
    const { type, code } = errorOf(expect.body)
    if (code === '' || expect.status < 400 || isPublicRoute(endpoint)) continue
    const key = `${expect.status} ${code}`
    const known = found.get(key) ?? { type: '', count: 0 }
    found.set(key, { type: known.type || type, count: known.count + 1 })
  }
  const rows = [...found.keys()].sort().map((key) => {
    const [status = '', code] = key.split(' ')
    const { type = '', count } = found.get(key) ?? {}
    return row([status, `\`${code}\``, `\`${type}\``, `${count}`])
  })
  return [
    '## Errors\n',
    row(['HTTP', '`code`', '`type`', 'Cases']),
    row(['---', '---', '---', '---']),
    ...rows,
    '',
  ].join('\n')
}

function isPublicRoute(endpoint: string): boolean {
  return BESIDE.includes(endpoint) && endpoint.startsWith('POST ')
}

function errorOf(body: unknown): { type: string; code: string } {
  const members: Readonly<Record<string, unknown>> = { ...Object(body) }
  const textOf = (name: string) => (typeof members[name] === 'string' ? members[name] : '')
  return { type: textOf('type'), code: textOf('code') }
}

function links(families: readonly Family[]): string {
  return `${families.map(({ name, path }) => `[${name}]: ../${path}`).join('\n')}\n`
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
