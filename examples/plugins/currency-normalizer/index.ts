/**
 * Adds the amounts of events in one currency: `$revenue: 10` with `$currency: 'EUR'` gets
 * `normalized_revenue: 10.8` and `normalized_currency: 'USD'`. What was sent stays as it is.
 */

/** `RetryError` is there in every plugin. */
declare class RetryError extends Error {}

type PluginEvent = {
  event: string
  properties: { [name: string]: unknown }
  /** When the server took the event, ISO 8601. */
  now: string
}

type Config = { readonly [setting: string]: string | undefined }

export type Meta = {
  readonly config: Config
  /** A cache of this instance alone, gone with it. */
  readonly global: { cached?: Cached }
  readonly storage: {
    get(key: string, otherwise: unknown): Promise<unknown>
    set(key: string, value: unknown): Promise<void>
  }
  readonly jobs: { refreshRates(payload: object): { runNow(): Promise<void> } }
}

/** One `base` is so many of each currency. */
type Rates = { readonly base: string; readonly rates: { readonly [currency: string]: number } }

type Cached = { readonly rates: Rates | undefined; readonly readAt: number }

const STORED = 'rates'
/** Another instance may have fetched newer rates: storage is read again so often. */
const CACHE_MS = 60_000
const FLAG = 'currency_not_normalized'

export async function setupPlugin(meta: Meta): Promise<void> {
  if (!URL.canParse(meta.config['ratesUrl'] ?? '')) throw new Error('ratesUrl is not a URL')
  if (targetOf(meta.config) === '') throw new Error('targetCurrency is not a currency')
  const known = asRates(await meta.storage.get(STORED, null))
  if (known === undefined) await meta.jobs.refreshRates({}).runNow()
}

export async function runEveryHour(meta: Meta): Promise<void> {
  // A job is called again when it fails; a schedule would wait for the next hour.
  await meta.jobs.refreshRates({}).runNow()
}

export const jobs = { refreshRates }

async function refreshRates(_payload: object, meta: Meta): Promise<void> {
  let response: Response
  try {
    response = await fetch(meta.config['ratesUrl'] ?? '')
  } catch (error) {
    throw new RetryError(`the rates cannot be reached: ${String(error)}`)
  }
  const { status } = response
  if (status === 429 || status >= 500) throw new RetryError(`the rates are answered ${status}`)
  if (!response.ok) throw new Error(`the rates are answered ${status}`)
  const rates = asRates(await response.json())
  if (rates === undefined) throw new Error('the answer holds no rates')
  await meta.storage.set(STORED, rates)
  delete meta.global.cached
  console.log(`${Object.keys(rates.rates).length} rates of ${rates.base} fetched`)
}

export async function processEvent(event: PluginEvent, meta: Meta): Promise<PluginEvent> {
  const { config } = meta
  const { properties } = event
  const amounts = namesOf(config['amountProperties'] ?? '$revenue, revenue, amount').flatMap(
    (name) => {
      const amount = asAmount(properties[name])
      return amount === undefined ? [] : [{ name, amount }]
    },
  )
  if (amounts.length === 0) return event
  const rates = await currentRates(Date.parse(event.now), meta)
  const target = targetOf(config)
  const source = currencyOf(properties, config)
  const factor = rates === undefined ? undefined : factorOf(rates, source, target)
  if (factor === undefined) {
    properties[FLAG] = rates === undefined ? 'no rates yet' : 'unknown currency'
    return event
  }
  for (const { name, amount } of amounts) {
    properties[`normalized_${name.replace(/^\$/, '')}`] = Math.round(amount * factor * 100) / 100
  }
  properties['normalized_currency'] = target
  return event
}

async function currentRates(nowMs: number, { global, storage }: Meta): Promise<Rates | undefined> {
  const { cached } = global
  if (cached !== undefined && Math.abs(nowMs - cached.readAt) < CACHE_MS) return cached.rates
  const rates = asRates(await storage.get(STORED, null))
  // Without any, the next event looks again: the first ones are about to come.
  if (rates !== undefined) global.cached = { rates, readAt: nowMs }
  return rates
}

/** How many of `target` one of `source` is. */
function factorOf({ base, rates }: Rates, source: string, target: string): number | undefined {
  const perBase = (currency: string) => {
    if (currency === base) return 1
    return Object.hasOwn(rates, currency) ? rates[currency] : undefined
  }
  const from = perBase(source)
  const to = perBase(target)
  return from === undefined || to === undefined ? undefined : to / from
}

function targetOf(config: Config): string {
  return (config['targetCurrency'] ?? 'USD').trim().toUpperCase()
}

function currencyOf(properties: PluginEvent['properties'], config: Config): string {
  const found = namesOf(config['currencyProperties'] ?? '$currency, currency')
    .map((name) => properties[name])
    .find((value) => typeof value === 'string' && value !== '')
  return String(found ?? config['defaultCurrency'] ?? 'USD')
    .trim()
    .toUpperCase()
}

function namesOf(list: string): string[] {
  const names = list.split(',').map((name) => name.trim())
  return names.filter((name) => name !== '')
}

function asAmount(value: unknown): number | undefined {
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof amount === 'number' && Number.isFinite(amount) ? amount : undefined
}

/** Undefined for anything but rates; what is no rate among them is left out. */
function asRates(value: unknown): Rates | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!('base' in value) || typeof value.base !== 'string') return undefined
  if (!('rates' in value) || typeof value.rates !== 'object' || value.rates === null) {
    return undefined
  }
  const rates: Record<string, number> = {}
  for (const [currency, rate] of Object.entries(value.rates)) {
    if (typeof rate === 'number' && rate > 0 && Number.isFinite(rate)) {
      rates[currency.toUpperCase()] = rate
    }
  }
  return Object.keys(rates).length === 0 ? undefined : { base: value.base.toUpperCase(), rates }
}
