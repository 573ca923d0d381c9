/**
 * Prints the statements that store a flush, each under its name, to search or EXPLAIN them:
 *
 *     npx tsx scripts/flush-sql.ts [WORD...]
 *
 * Words choose by name: `events ordinary` prints those of both sides of a midnight.
 */
import { STATEMENTS } from '../src/event-store/postgres/flush/flush-statements.ts'

// A reader such as `head` may leave early; the status is that of a program that SIGPIPE ended.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  process.exit(code === 'EPIPE' ? 141 : 1)
})
const words = process.argv.slice(2)
for (const [home, days] of Object.entries(STATEMENTS)) {
  for (const [day, calls] of Object.entries(days)) {
    for (const [call, forms] of Object.entries(calls)) {
      for (const [form, text] of Object.entries(forms)) {
        const name = [home, day, call, form].join(' ')
        if (!words.every((word) => name.split(' ').includes(word))) continue
        process.stdout.write(`-- ${name}\n${text.trim()};\n\n`)
      }
    }
  }
}
