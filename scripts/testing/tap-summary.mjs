// Summarises the failures in a run's TAP for the end of a log.

const LINES_MAX = 8
const COLUMNS_MAX = 400

/**
 * Counts named tests, one level below files; a file that failed outside its tests counts too. `names`
 * are those that failed, each with the assertions that did: title and, where there is one, the difference.
 */
export function summaryOf(tap) {
  const failures = []
  let passed = 0
  let failedInFile = []
  let assertions = []
  let deepest = -1
  let diff // Of the assertion that failed last.
  for (const line of tap.split('\n')) {
    const [, indent, not, rest] = /^( *)(not )?ok \d+(.*)$/.exec(line) ?? []
    if (rest === undefined) {
      diff?.read(line)
      continue
    }
    const depth = indent.length
    const title = rest.replace(/^ - /, '').replace(/( # time=\S+)?( \{)?$/, '')
    diff = undefined
    if (not !== undefined && depth > 0) {
      const isParent = deepest > depth
      deepest = depth
      if (!isParent) {
        diff = readDiff()
        assertions.push({ title, diff: diff.lines })
      }
    }
    if (depth === 4) {
      if (not === undefined) passed += 1
      else failedInFile.push({ title, assertions })
      assertions = []
      deepest = -1
    }
    if (depth > 0) continue
    if (not !== undefined && failedInFile.length === 0) {
      failedInFile.push({ title: 'outside its tests', assertions })
    }
    failures.push(...failedInFile.map((test) => ({ ...test, title: `${title}: ${test.title}` })))
    failedInFile = []
    assertions = []
  }
  failures.push(...failedInFile)
  return { passed, failures }
}

/** Collects what differs from the YAML block behind an assertion. */
function readDiff() {
  const lines = []
  let indent // Of the block's key, while it lasts.
  let isFolded = false // YAML has broken its long lines then, and put an empty one between others.
  let isWhole = true
  const read = (line) => {
    const text = line.trim()
    const [, before, style] = /^( +)diff: ([>|])/.exec(line) ?? []
    if (style !== undefined) {
      indent = before.length
      isFolded = style === '>'
    } else if (text === '') isWhole = true
    else if (indent === undefined || line.search(/\S/) <= indent) indent = undefined
    else if (/^[-+](?!--|\+\+)/.test(text) && (isWhole || !isFolded)) {
      lines.push(text)
      isWhole = false
    } else if (isFolded && !isWhole) lines.push(`${lines.pop()} ${text}`)
  }
  return { lines, read }
}

/** Lines for a log: each failed test with its assertions, and at the very end the names once more. */
export function linesOf({ passed, failures }) {
  const details = failures.flatMap(({ title, assertions }) => [
    `${title}`,
    ...assertions.flatMap(({ title, diff }) => [
      `  ${title}`.slice(0, COLUMNS_MAX),
      ...diff.slice(0, LINES_MAX).map((line) => `    ${line}`.slice(0, COLUMNS_MAX)),
    ]),
  ])
  const names = failures.map(({ title }) => `not ok: ${title}`)
  return [...details, ...names, `${passed} passed, ${failures.length} failed`]
}
