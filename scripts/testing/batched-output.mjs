// Writes a process's TAP in large pieces. A pipe is written at once and wakes its reader each time, and
// files that share processes print some forty thousand lines.
import { Writable } from 'node:stream'

const BATCH_LENGTH_MAX = 65_536

/**
 * Passes on to `target` what is written in one turn of the event loop as one piece, or earlier when it
 * is long; and what is left when the process ends.
 * @param {{ write(text: string): unknown }} target
 * @returns {import('node:stream').Writable}
 */
export function batchedOutput(target) {
  let text = ''
  let isScheduled = false
  const flush = () => {
    isScheduled = false
    const piece = text
    text = ''
    if (piece !== '') target.write(piece)
  }
  process.on('exit', flush)
  return new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      text += chunk
      if (text.length > BATCH_LENGTH_MAX) flush()
      else if (!isScheduled) {
        isScheduled = true
        setImmediate(flush)
      }
      done()
    },
  })
}
