// Joins the TAP of the files of a run: each file is a subtest, in the order in which they ended.

const RESULT = /^(not )?ok \d+(.*)$/
const PLAN = /^1\.\.\d+/

/** @param write takes text of the whole run's TAP. */
export function createTapLog(write) {
  let count = 0
  write('TAP version 14\n')
  return {
    /**
     * @param lines TAP of the file's process, from its first line to its last.
     * @param problem why the process failed, `undefined` when it ended as it should.
     * @returns whether the file passed.
     */
    addFile(name, lines, { problem, code = 0, ms }) {
      const found = problem ?? problemOf(lines, code)
      const own = lines.filter((line) => !/^TAP version/.test(line))
      const points = own.filter((line) => RESULT.test(line)).length
      const rest = found === undefined ? own : withPoint(own, `not ok ${points + 1} - ${found}`)
      const ok = found === undefined && code === 0
      const text = rest.map((line) => (line === '' ? line : `    ${line}`)).join('\n')
      this.addText(`# Subtest: ${name}\n${text}`, { name, ok, ms })
      return ok
    },
    /** A subtest as its process printed it, without its result. */
    addText(text, { name, ok, ms }) {
      count += 1
      write(`${text}\n${ok ? '' : 'not '}ok ${count} - ${name} # time=${Math.round(ms)}ms\n\n`)
    },
    end: () => write(`1..${count}\n`),
  }
}

/** Problem of a process that ended by itself. */
function problemOf(lines, code) {
  const results = lines.filter((line) => RESULT.test(line))
  const isFailed = results.some((line) => line.startsWith('not '))
  if (!lines.some((line) => PLAN.test(line))) return 'ended before its tests did'
  if (results.length === 0) return 'has no tests'
  if (code !== 0 && !isFailed) return `ended with ${code} although its tests passed`
  if (code === 0 && isFailed) return 'ended with 0 although a test failed'
  return undefined
}

/** Adds a result and counts it in the plan. */
function withPoint(lines, point) {
  const others = lines.filter((line) => !PLAN.test(line))
  const count = others.filter((line) => RESULT.test(line)).length + 1
  return [...others, point, `1..${count}`]
}

/**
 * Reads the output of a process that many files share: each file is a subtest of its root.
 * @param onFile takes `{ name, text, ok, ms }` of each file as it ends.
 * @returns `onLine`, and the name of the file that has begun and not ended.
 */
export function readSharedFiles(onFile) {
  let name
  let lines = []
  const onLine = (line) => {
    const [, begun] = /^# Subtest: (.*)$/.exec(line) ?? []
    if (begun !== undefined) {
      name = begun
      lines = []
    }
    const [, not, title] = RESULT.exec(line) ?? []
    if (title === undefined) {
      if (name !== undefined) lines.push(line)
      return
    }
    const ok = not === undefined
    const ms = Number(/# time=([\d.]+)ms/.exec(title)?.[1] ?? 0)
    const text = name === undefined ? '' : lines.join('\n')
    onFile({ name: name ?? title.replace(/^ - /, ''), text, ok, ms })
    name = undefined
  }
  return { onLine, current: () => name }
}
