/** Numbers as people read them. Formatters are made once: making one is slow. */

const number = new Intl.NumberFormat('en')
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

export function formatNumber(value: number): string {
  return number.format(value)
}

/** `1.2K`. For axes and cards; say the whole number beside it. */
export function formatCompact(value: number): string {
  return compact.format(value)
}

/** @param share 0 to 1. */
export function formatPercent(share: number): string {
  return percent.format(share)
}
