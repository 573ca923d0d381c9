/** Cases whose answers are the examples of the reference. */
import type { ApiCase } from './case.ts'

type More = Partial<Omit<ApiCase, 'endpoint' | 'path'>>

/** One call that is the example of its endpoint, or of a status where it fails. */
export function example(endpoint: string, status: number, path: string, more: More = {}): ApiCase {
  const name = `the example of ${endpoint}`
  return { name, endpoint, shows: 'success', path, expect: { status }, ...more, isExample: true }
}

/** One call that must succeed, because examples need what it does. */
export function before(
  name: string,
  endpoint: string,
  status: number,
  path: string,
  more: More = {},
): ApiCase {
  return { name, endpoint, shows: 'success', path, expect: { status }, ...more }
}
