/** One element of an event, outermost last; `order` counts from 0. */
export type ChainElement = {
  readonly text: string | null
  readonly tag_name: string | null
  readonly attr_class: readonly string[] | null
  readonly href: string | null
  readonly attr_id: string | null
  readonly nth_child: number | null
  readonly nth_of_type: number | null
  readonly attributes: Readonly<Record<string, string>>
  readonly order: number
}

/** A chain is our own text or a client's; beyond this an event shows no more elements. */
const ELEMENTS_MAX = 1_000

/** JSON text of the elements of a chain, `[]` when there are none. */
export function elementsJson(chain: string): string {
  return chain === '' ? '[]' : JSON.stringify(parseElementsChain(chain))
}

/**
 * Reads `tag.class:key="value"key="value";…`. One pass, linear; text that does not keep to the form
 * gives what could be read of it. Never throws.
 */
export function parseElementsChain(chain: string): readonly ChainElement[] {
  const elements: ChainElement[] = []
  for (const part of splitOutsideQuotes(chain)) {
    if (elements.length === ELEMENTS_MAX) break
    if (part !== '') elements.push(parseElement(part, elements.length))
  }
  return elements
}

/** Splits at `;` where it is not within a quoted value. */
function splitOutsideQuotes(chain: string): string[] {
  const parts: string[] = []
  let start = 0
  let quoted = false
  for (let at = 0; at < chain.length; at++) {
    const character = chain[at]
    if (quoted && character === '\\' && chain[at + 1] === '"') at++
    else if (character === '"') quoted = !quoted
    else if (character === ';' && !quoted) {
      parts.push(chain.slice(start, at))
      start = at + 1
    }
  }
  parts.push(chain.slice(start))
  return parts
}

function parseElement(part: string, order: number): ChainElement {
  const headEnd = headEndOf(part)
  const [tag, ...classes] = part.slice(0, headEnd).split('.')
  const pairs = parsePairs(part.slice(headEnd + 1))
  const attributes = Object.fromEntries([...pairs].filter(([key]) => !OWN_FIELDS.has(key)))
  return {
    text: pairs.get('text') ?? null,
    tag_name: tag === undefined || tag === '' ? null : tag,
    attr_class: classes.length === 0 ? null : classes.filter((name) => name !== ''),
    href: pairs.get('href') ?? null,
    attr_id: pairs.get('attr_id') ?? null,
    nth_child: numberOrNull(pairs.get('nth-child')),
    nth_of_type: numberOrNull(pairs.get('nth-of-type')),
    attributes,
    order,
  }
}

const OWN_FIELDS: ReadonlySet<string> = new Set([
  'text',
  'href',
  'attr_id',
  'nth-child',
  'nth-of-type',
])

/**
 * End of tag and classes. Class names may hold colons (`md:flex`), so it is the last colon before
 * the first quoted value whose key follows it.
 */
function headEndOf(part: string): number {
  const quote = part.indexOf('="')
  const colon = quote === -1 ? part.lastIndexOf(':') : part.lastIndexOf(':', quote)
  return colon === -1 ? part.length : colon
}

/** `key="value"` after one another; a quote in a value is escaped by a backslash. */
function parsePairs(text: string): Map<string, string> {
  const pairs = new Map<string, string>()
  let at = 0
  while (at < text.length) {
    const open = text.indexOf('="', at)
    if (open === -1) break
    let close = open + 2
    while (close < text.length && text[close] !== '"') {
      close += text[close] === '\\' && text[close + 1] === '"' ? 2 : 1
    }
    const value = text.slice(open + 2, close).replaceAll('\\"', '"')
    pairs.set(text.slice(at, open).replaceAll('\\"', '"'), value)
    at = close + 1
  }
  return pairs
}

function numberOrNull(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null
}
