/** The built-in plugin that writes equal URLs in the same way. */
import { defineBuiltin } from './define.ts'
import { propertySets } from './properties.ts'

const URL_PROPERTIES = [
  '$current_url',
  '$referrer',
  '$initial_current_url',
  '$initial_referrer',
  '$session_entry_url',
  '$session_entry_referrer',
  '$pathname',
  '$initial_pathname',
]

export const urlNormalizer = defineBuiltin({
  name: 'url-normalizer',
  title: 'URL normalizer',
  description: 'Writes the same page always the same way, without parameters that nobody needs.',
  schema: [
    {
      key: 'properties',
      name: 'Properties',
      type: 'string',
      default: URL_PROPERTIES.join(', '),
      hint: 'Names of properties that hold a URL or a path, separated by commas.',
    },
    {
      key: 'trailing_slash',
      name: 'Slash at the end of a path',
      type: 'choice',
      choices: ['remove', 'keep'],
      default: 'remove',
    },
    {
      key: 'remove_parameters',
      name: 'Parameters to remove',
      type: 'string',
      hint: 'Names, separated by commas; "utm_*" are all that begin so, and "*" are all.',
    },
    {
      key: 'fragment',
      name: 'What follows a #',
      type: 'choice',
      choices: ['keep', 'remove'],
      default: 'keep',
    },
  ],
  methods: ['processEvent'],
  create(settings) {
    const names = settings.list('properties')
    const rules: UrlRules = {
      removesSlash: settings.choice('trailing_slash', ['remove', 'keep']) === 'remove',
      removesFragment: settings.choice('fragment', ['keep', 'remove']) === 'remove',
      removesParameter: parameterTest(settings.list('remove_parameters')),
    }
    return {
      processEvent(event) {
        for (const set of propertySets(event)) {
          for (const name of names) {
            const value = Object.hasOwn(set, name) ? set[name] : undefined
            if (typeof value === 'string') set[name] = normalizeUrl(value, rules)
          }
        }
        return event
      },
    }
  },
})

export type UrlRules = {
  readonly removesSlash: boolean
  readonly removesFragment: boolean
  removesParameter(name: string): boolean
}

/** Entries are whole names, or beginnings of names that end in a star. */
export function parameterTest(entries: readonly string[]): (name: string) => boolean {
  const names = new Set(entries.filter((entry) => !entry.endsWith('*')))
  const starts = entries.filter((entry) => entry.endsWith('*')).map((entry) => entry.slice(0, -1))
  return (name) => names.has(name) || starts.some((start) => name.startsWith(start))
}

/**
 * Normalizes `http` and `https` URLs and paths from the root. Other texts are unchanged. Parts that
 * no rule names stay as written: nothing is decoded, encoded or sorted.
 */
export function normalizeUrl(text: string, rules: UrlRules): string {
  const scheme = SCHEMES.find((each) => text.slice(0, each.length).toLowerCase() === each)
  if (scheme === undefined) {
    return text.startsWith('/') && !text.startsWith('//') ? normalizePath(text, rules) : text
  }
  const rest = text.slice(scheme.length)
  const end = rest.search(/[/?#]/)
  const authority = end < 0 ? rest : rest.slice(0, end)
  const path = end < 0 ? '' : rest.slice(end)
  const rooted = path.startsWith('/') ? path : `/${path}`
  return scheme + normalizeAuthority(authority, scheme) + normalizePath(rooted, rules)
}

const SCHEMES = ['https://', 'http://'] as const
const USUAL_PORTS = { 'https://': ':443', 'http://': ':80' } as const

function normalizeAuthority(authority: string, scheme: (typeof SCHEMES)[number]): string {
  const at = authority.lastIndexOf('@') + 1
  const host = authority.slice(at).toLowerCase()
  const port = USUAL_PORTS[scheme]
  return authority.slice(0, at) + (host.endsWith(port) ? host.slice(0, -port.length) : host)
}

function normalizePath(text: string, rules: UrlRules): string {
  const [rest, fragment] = cut(text, '#')
  const [path, query] = cut(rest, '?')
  const shown = rules.removesFragment ? '' : fragment
  return (rules.removesSlash ? withoutSlash(path) : path) + normalizeQuery(query, rules) + shown
}

/** Splits a text before the mark. The second part is empty when there is no mark. */
function cut(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)]
}

function withoutSlash(path: string): string {
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

function normalizeQuery(query: string, { removesParameter }: UrlRules): string {
  if (query === '') return ''
  const kept = query
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !removesParameter(nameOf(parameter)))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

function nameOf(parameter: string): string {
  const [name] = cut(parameter, '=')
  if (!name.includes('%')) return name
  try {
    return decodeURIComponent(name)
  } catch {
    return name // Not a valid encoding: the name as written.
  }
}
