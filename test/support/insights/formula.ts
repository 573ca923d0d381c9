/** Formulas over series. */

const TOKEN = /\s*(\*\*|[-+*/%()A-Z]|\d+(?:\.\d+)?)/y

/** The value of a formula. @param values of the series, by letter. */
export function formulaValue(text: string, values: ReadonlyMap<string, number>): number {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) {
    tokens.push(found[1] ?? '')
  }
  let at = 0
  const take = (...wanted: readonly string[]) =>
    wanted.includes(tokens[at] ?? '') ? tokens[at++] : undefined
  const primary = (): number => {
    if (take('(') !== undefined) {
      const inner = sum()
      take(')')
      return inner
    }
    const token = tokens[at++] ?? ''
    return /[A-Z]/.test(token) ? (values.get(token) ?? 0) : Number(token)
  }
  const power = (): number => {
    const base = primary()
    return take('**') === undefined ? base : base ** unary()
  }
  const unary = (): number => (take('-') === undefined ? power() : -unary())
  const product = (): number => {
    let result = unary()
    for (let sign = take('*', '/', '%'); sign !== undefined; sign = take('*', '/', '%')) {
      const other = unary()
      if (sign === '*') result *= other
      else if (other === 0) result = 0
      else result = sign === '/' ? result / other : result % other
    }
    return result
  }
  const sum = (): number => {
    let result = product()
    for (let sign = take('+', '-'); sign !== undefined; sign = take('+', '-')) {
      result += product() * (sign === '+' ? 1 : -1)
    }
    return result
  }
  const value = sum()
  return Number.isFinite(value) ? value : 0
}
