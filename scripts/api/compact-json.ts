/** Writes JSON for readers: a value that fits on a line stays on it. */
const COLUMNS = 92

export function compactJson(value: unknown, indent = ''): string {
  const line = flat(value)
  if (indent.length + line.length <= COLUMNS || typeof value !== 'object' || value === null) {
    return line
  }
  const inner = `${indent}  `
  const members = Array.isArray(value)
    ? value.map((each) => compactJson(each, inner))
    : Object.entries(value).map(
        ([key, each]) => `${JSON.stringify(key)}: ${compactJson(each, inner)}`,
      )
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return `${open}\n${members.map((each) => inner + each).join(',\n')}\n${indent}${close}`
}

function flat(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flat).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}: ${flat(each)}`,
  )
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
