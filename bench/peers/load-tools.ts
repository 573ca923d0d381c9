/** Runs wrk and h2load, and reads their output. */
import { spawn } from 'node:child_process'
import { AppError } from '../../src/core/code.ts'
import { err, ok, type Result } from '../../src/core/result.ts'

/** Run of a load tool: the requests, the number of connections, the duration. */
export type ToolRun = {
  readonly url: string
  /** Holds the body of every request, JSON. */
  readonly bodyFile: string
  readonly connections: number
  readonly seconds: number
}

export type LoadTool = {
  readonly name: 'wrk' | 'h2load'
  /** The Debian package that contains it. */
  readonly packageName: string
  args(run: ToolRun): readonly string[]
  /** Requests a second from its output, or why its figures cannot be used. */
  rateIn(output: string): Result<number, string>
}

/** wrk takes a body from a script only. */
export function wrkScript(body: string): string {
  return [
    'wrk.method = "POST"',
    `wrk.body = ${luaText(body)}`,
    'wrk.headers["Content-Type"] = "application/json"',
    '',
  ].join('\n')
}

/** A long bracket that the text does not hold: Lua reads nothing inside it. */
function luaText(text: string): string {
  let level = ''
  while (text.includes(`]${level}]`) || text.endsWith(`]${level}`)) level += '='
  return `[${level}[${text}]${level}]`
}

export function createWrk(scriptFile: string): LoadTool {
  return {
    name: 'wrk',
    packageName: 'wrk',
    args: ({ url, connections, seconds }) => [
      '--threads',
      '1',
      '--connections',
      String(connections),
      '--duration',
      `${seconds}s`,
      '--script',
      scriptFile,
      url,
    ],
    rateIn: (output) => {
      const bad = /Non-2xx or 3xx responses: (\d+)/.exec(output)
      if (bad !== null) return err(`${bad[1]} answers were not 2xx`)
      const errors = /Socket errors: (.+)/.exec(output)
      if (errors !== null) return err(`socket errors: ${errors[1]}`)
      return rateFrom(/Requests\/sec:\s+([\d.]+)/.exec(output))
    },
  }
}

export const H2LOAD: LoadTool = {
  name: 'h2load',
  packageName: 'nghttp2-client',
  args: ({ url, bodyFile, connections, seconds }) => [
    '--h1',
    '--threads=1',
    `--clients=${connections}`,
    `--duration=${seconds}`,
    `--data=${bodyFile}`,
    '--header=content-type: application/json',
    url,
  ],
  rateIn: (output) => {
    const codes = /status codes: (\d+) 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx/.exec(output)
    if (codes === null) return err('it printed no status codes')
    const bad = codes.slice(2).reduce((sum, count) => sum + Number(count), 0)
    if (bad > 0) return err(`${bad} answers were not 2xx`)
    return rateFrom(/finished in [\d.]+m?s, ([\d.]+) req\/s/.exec(output))
  },
}

function rateFrom(match: RegExpExecArray | null): Result<number, string> {
  const rate = Number(match?.[1])
  return rate > 0 ? ok(rate) : err('it printed no rate')
}

/** @throws {AppError} when the tool is missing, fails, or got an answer that is not 2xx. */
export async function runTool(tool: LoadTool, run: ToolRun, signal: AbortSignal): Promise<number> {
  const output = await outputOf(tool, tool.args(run), signal)
  const rate = tool.rateIn(output)
  if (!rate.ok) throw new AppError('unavailable', `${tool.name}: ${rate.error}:\n${output}`)
  return rate.value
}

/** @throws {AppError} `failed_precondition`, with what to install, when the tool is missing. */
export async function requireTool(tool: LoadTool, signal: AbortSignal): Promise<void> {
  await outputOf(tool, ['--version'], signal)
}

function outputOf(tool: LoadTool, args: readonly string[], signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(tool.name, [...args], { stdio: ['ignore', 'pipe', 'inherit'], signal })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', (error: NodeJS.ErrnoException) => {
      const advice = `${tool.name} is missing: apt-get install ${tool.packageName}`
      reject(error.code === 'ENOENT' ? new AppError('failed_precondition', advice) : error)
    })
    // `wrk --version` exits with 1, so the output is checked instead of the exit code.
    child.on('close', () => resolve(Buffer.concat(chunks).toString()))
  })
}
