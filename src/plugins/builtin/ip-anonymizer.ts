/** The built-in plugin that cuts or removes the address of an event. */
import { isIP } from 'node:net'
import { defineBuiltin } from './define.ts'
import { propertySets } from './properties.ts'

export const ipAnonymizer = defineBuiltin({
  name: 'ip-anonymizer',
  title: 'IP anonymizer',
  description: 'Cuts the address of an event short, or removes it.',
  schema: [
    {
      key: 'mode',
      name: 'What becomes of an address',
      type: 'choice',
      choices: ['cut', 'remove'],
      default: 'cut',
      hint: 'cut: 203.0.113.7 becomes 203.0.113.0, and of an IPv6 address the first 48 bits stay.',
    },
  ],
  methods: ['processEvent'],
  create(settings) {
    const cuts = settings.choice('mode', ['cut', 'remove']) === 'cut'
    return {
      processEvent(event) {
        event.ip = cuts && event.ip !== null ? (cutAddress(event.ip) ?? null) : null
        for (const set of propertySets(event)) {
          if (!Object.hasOwn(set, '$ip')) continue
          const cut = cuts ? cutAddress(set['$ip']) : undefined
          if (cut === undefined) delete set['$ip']
          else set['$ip'] = cut
        }
        return event
      },
    }
  },
})

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** The /24 of an IPv4 address or the /48 of an IPv6 address; undefined for any other value. */
export function cutAddress(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = MAPPED_IPV4.exec(value)?.[1] ?? value
  const family = isIP(text)
  if (family === 4) return `${text.slice(0, text.lastIndexOf('.'))}.0`
  return family === 6 ? cutIpv6(text) : undefined
}

function cutIpv6(text: string): string {
  const [left = '', right] = text.split('%', 1).join('').split('::')
  const groups = left === '' ? [] : left.split(':')
  if (right !== undefined) {
    const after = right === '' ? [] : right.split(':')
    // An IPv4 address at the end takes the place of two groups.
    const afterLength = after.length + (right.includes('.') ? 1 : 0)
    while (groups.length + afterLength < 8) groups.push('0')
    groups.push(...after)
  }
  const kept = groups.slice(0, 3).map((group) => Number.parseInt(group, 16).toString(16))
  while (kept.at(-1) === '0') kept.pop()
  return `${kept.join(':')}::`
}
