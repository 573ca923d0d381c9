/** Reads the module of a plugin from a URL. */
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { cleanText } from '../../core/clean-text.ts'
import type { Clock } from '../../core/clock.ts'
import { PLUGIN_FETCH_MS, PLUGIN_FILE_BYTES_MAX } from '../../core/limits/limits.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { type AllowsAddress, guardedLookup, isForeignAddress } from '../host/public-address.ts'
import type { SourceFileName } from './source-files.ts'

export type FetchedModule = {
  readonly file: Extract<SourceFileName, 'index.ts' | 'index.js'>
  readonly source: string
}

/** Never rejects. The error is a text for people. */
export type FetchModule = (url: URL, signal: AbortSignal) => Promise<Result<FetchedModule, string>>

/** An `http` or `https` URL that may be stored and shown; undefined for any other text. */
export function parsePluginUrl(text: string): URL | undefined {
  // ASCII only, so that its bytes are its characters. Credentials would be shown to every reader.
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.username === '' && url.password === '' ? url : undefined
}

const UNREACHABLE = 'No public address answers at this URL.'
const TOO_SLOW = `The URL has not answered within ${PLUGIN_FETCH_MS / 1_000} seconds.`

/**
 * Reads one JavaScript or TypeScript module in UTF-8 by a GET. Redirects are not followed, and
 * addresses of the instance's own network are refused.
 */
export function createModuleFetcher(
  clock: Clock,
  allows: AllowsAddress = isForeignAddress,
): FetchModule {
  return async (url, signal) => {
    const timeout = new AbortController()
    const cancel = clock.after(PLUGIN_FETCH_MS, () => timeout.abort())
    try {
      return await read(url, allows, AbortSignal.any([signal, timeout.signal]))
    } catch {
      // The caller must not learn in which way the connection failed.
      return err(timeout.signal.aborted ? TOO_SLOW : UNREACHABLE)
    } finally {
      cancel()
    }
  }
}

async function read(
  url: URL,
  allows: AllowsAddress,
  signal: AbortSignal,
): Promise<Result<FetchedModule, string>> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !allows(host)) return err(UNREACHABLE)
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const request = send(url, {
    agent: false,
    headers: { accept: '*/*', 'accept-encoding': 'identity' },
    lookup: guardedLookup(allows),
    signal,
  })
  try {
    const response = await responseTo(request)
    if (response.statusCode !== 200) return err(`The URL answers with ${response.statusCode}.`)
    const type = response.headers['content-type'] ?? ''
    if (/^text\/html\b/i.test(type)) return err('The URL answers with a page, not a module.')
    const bytes = await bodyOf(response)
    if (bytes === undefined) return err(`The module is larger than ${PLUGIN_FILE_BYTES_MAX} bytes.`)
    const source = decode(bytes)
    if (source === undefined) return err('The module is not UTF-8.')
    const isTypeScript = /\.[cm]?ts$/i.test(url.pathname) || /\btypescript\b/i.test(type)
    return ok({ file: isTypeScript ? 'index.ts' : 'index.js', source: cleanText(source) })
  } finally {
    request.destroy()
  }
}

function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve)
    // Not removed: a destroyed request may fail once more.
    request.on('error', reject)
    request.end()
  })
}

/** Undefined when it is too large. */
async function bodyOf(response: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > PLUGIN_FILE_BYTES_MAX) return undefined
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined // Not UTF-8.
  }
}
