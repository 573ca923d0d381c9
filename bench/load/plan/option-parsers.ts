/** Parsers of command line options, shared by all benches. */
import { InvalidArgumentError } from 'commander'
import type { Result } from '../../../src/core/result.ts'
import { parseThresholds, type Threshold } from '../report/threshold.ts'
import { type Mix, parseMix } from '../workload/mixed-source.ts'
import { parseRamp } from './ramp.ts'

/**
 * Readers of option values, as commander wants them.
 * Each @throws {InvalidArgumentError}, which commander shows with the option's name.
 */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= min && value <= max)) {
      throw new InvalidArgumentError(`not a whole number from ${min} to ${max}`)
    }
    return value
  }
}

export function decimalNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,12}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= min && value <= max)) {
      throw new InvalidArgumentError(`not a number from ${min} to ${max}`)
    }
    return value
  }
}

/** Comma-separated, none empty. */
export function textList(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.includes('')) throw new InvalidArgumentError('an empty item')
  return parts
}

export function numberList(text: string): number[] {
  return textList(text).map(decimalNumber(0.1, 1_000))
}

export function idList(text: string): number[] {
  return textList(text).map(wholeNumber(1, 2_147_483_647))
}

/** `gateway=123,worker=124`. */
export function pidList(text: string): [string, number][] {
  return textList(text).map((part) => {
    const [name, pid, ...rest] = part.split('=')
    if (name === undefined || pid === undefined || name === '' || rest.length > 0) {
      throw new InvalidArgumentError('not like gateway=123,worker=124')
    }
    return [name, wholeNumber(1, 2 ** 22)(pid)]
  })
}

export function thresholdList(text: string): Threshold[] {
  return valid(parseThresholds(text))
}

export function rateList(text: string): number[] {
  return valid(parseRamp(text))
}

export function mixShares(text: string): Mix {
  return valid(parseMix(text))
}

function valid<T>(parsed: Result<T, string>): T {
  if (!parsed.ok) throw new InvalidArgumentError(parsed.error)
  return parsed.value
}

/** Collects repeated `NAME=value`. */
export function setting(
  text: string,
  earlier: Readonly<Record<string, string>>,
): Record<string, string> {
  const match = /^([A-Z][A-Z0-9_]*)=(.*)$/s.exec(text)
  if (match?.[1] === undefined) throw new InvalidArgumentError('not like NAME=value')
  return { ...earlier, [match[1]]: match[2] ?? '' }
}
