/** Values by name: `{project}`, `{owner_id}`, and those that earlier cases have saved. */
export type Names = ReadonlyMap<string, unknown>

const PLACEHOLDER = /\{([a-z][a-z0-9_]*)\}/g

/** Fills a JSON value at any depth. Unknown names stay as they are: they may be meant literally. */
export function fillValue(value: unknown, names: Names): unknown {
  if (typeof value === 'string') {
    const alone = /^\{([a-z][a-z0-9_]*)\}$/.exec(value)?.[1]
    return alone !== undefined && names.has(alone) ? names.get(alone) : fillText(value, names)
  }
  if (Array.isArray(value)) return value.map((each) => fillValue(each, names))
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [fillText(key, names), fillValue(each, names)]),
  )
}

export function fillText(text: string, names: Names): string {
  return text.replace(PLACEHOLDER, (whole, name: string) =>
    names.has(name) ? String(names.get(name)) : whole,
  )
}

/**
 * A path is filled with percent-encoded values, or is a saved link of the same server.
 * @throws when a name is unknown: the case before it has not saved it, or it is misspelt.
 */
export function fillPath(path: string, names: Names): string {
  const alone = /^\{([a-z][a-z0-9_]*)\}$/.exec(path)?.[1]
  const link = alone === undefined ? undefined : names.get(alone)
  if (typeof link === 'string' && link.startsWith('http')) {
    const { pathname, search } = new URL(link)
    return pathname + search
  }
  return path.replace(PLACEHOLDER, (whole, name: string) => {
    if (!names.has(name)) throw new Error(`nothing is known by the name ${whole}`)
    return encodeURIComponent(String(names.get(name)))
  })
}

/** The value at a place such as `results.0.id`; undefined when there is none. */
export function valueAt(value: unknown, place: string): unknown {
  let found = value
  for (const name of place === '' ? [] : place.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = Reflect.get(found, name)
  }
  return found
}
