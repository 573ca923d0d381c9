// Summarises the failures in a run's TAP for the end of a log.

const LINES_MAX = 8
/** Longest line: failed waits print the page. */
const COLUMNS_MAX = 800
const INDENT = 4
/** Line of a stack that is in the tests' own code. */
const OWN = /\btest\/[\w./-]+\.ts:\d+/
/** Members of the YAML about the test itself, and about tap's comparison. */
const LEFT_OUT = new Set(['at', 'stack', 'source', 'compare', 'diff', 'tapCaught'])

/**
 * @typedef {{ title: string, details: () => readonly string[] }} Assertion
 * @typedef {{ title: string, assertions: readonly Assertion[] }} Failure
 * @typedef {{ passed: number, failures: readonly Failure[], shaky: readonly Failure[] }} Summary
 */

/**
 * Counts named tests, one level below files; a file that failed outside its tests counts too.
 * `names` are those that failed, each with its failed assertions: title with the tests within the
 * named one, the difference or else the other output, and the place in the source.
 * @param {string} tap
 * @param {ReadonlySet<string>} again files that passed when they were run once more: what failed in
 * them is `shaky`.
 * @returns {Summary}
 */
export function summaryOf(tap, again = new Set()) {
  const failures = []
  const shaky = []
  let passed = 0
  let failedInFile = []
  let assertions = []
  let deepest = -1
  let found // The details of the assertion that failed last.
  const subtests = [] // Around a line, from the file on.
  for (const line of tap.split('\n')) {
    const [, before, subtest] = /^( *)# Subtest: (.*)$/.exec(line) ?? []
    if (subtest !== undefined) subtests.splice(before.length / INDENT, Infinity, subtest)
    const [, indent, not, rest] = /^( *)(not )?ok \d+(.*)$/.exec(line) ?? []
    if (rest === undefined) {
      found?.read(line)
      continue
    }
    const depth = indent.length
    const title = rest.replace(/^ - /, '').replace(/( # time=\S+)?( \{)?$/, '')
    found = undefined
    if (not !== undefined && depth > 0) {
      const isParent = deepest > depth
      deepest = depth
      if (!isParent) {
        found = readDetails()
        const within = subtests.slice(2, depth / INDENT)
        assertions.push({ title: [...within, title].join(': '), details: found.lines })
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
    const named = failedInFile.map((test) => ({ ...test, title: `${title}: ${test.title}` }))
    if (again.has(title)) shaky.push(...named)
    else failures.push(...named)
    failedInFile = []
    assertions = []
  }
  failures.push(...failedInFile)
  return { passed, failures, shaky }
}

/** Collects from the YAML block behind an assertion: what differs, or else the rest and the place. */
function readDetails() {
  const diff = readDiff()
  const rest = readRest()
  return {
    read(line) {
      diff.read(line)
      rest.read(line)
    },
    lines: () =>
      diff.lines.length > 0
        ? [...diff.lines.slice(0, LINES_MAX - 1), ...rest.place()]
        : [...rest.lines.slice(0, LINES_MAX - 1), ...rest.place()],
  }
}

/** Collects what a test said with an assertion, such as the problems that it found. */
function readRest() {
  const lines = []
  const place = {}
  let own // The first line of a test in a stack.
  let indent // The indent of the block, while it lasts.
  let key
  const read = (line) => {
    const column = line.search(/\S/)
    if (/^ +---$/.test(line) && indent === undefined) indent = column
    else if (indent !== undefined && column === indent) {
      const [, name] = /^([\w-]+):/.exec(line.trim()) ?? []
      if (name === undefined) indent = undefined // The block's end.
      key = name
    }
    if (indent === undefined || key === undefined || column < 0) return
    if (!LEFT_OUT.has(key)) lines.push(line.slice(indent).trimEnd())
    own ??= OWN.exec(line)?.[0]
    const [, what, value] = /^(fileName|lineNumber): (.*)$/.exec(line.trim()) ?? []
    if (key === 'at' && what !== undefined) place[what] = value
  }
  // Even where the output is cut. An error thrown by a package is reported at the test's own line.
  const at = () => {
    if (place.fileName === undefined) return []
    const isOurs = own === undefined || !place.fileName.startsWith('node_modules/')
    return [`at ${isOurs ? `${place.fileName}:${place.lineNumber}` : own}`]
  }
  return { read, lines, place: at }
}

/** Collects what differs from the YAML block behind an assertion. */
function readDiff() {
  const lines = []
  let indent // The indent of the block's key, while it lasts.
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

/**
 * Lines for a log: each failed test with its assertions, and at the very end the names once more.
 * @param {Summary} summary
 */
export function linesOf({ passed, failures, shaky }) {
  const details = [...shaky, ...failures].flatMap(({ title, assertions }) => [
    `${title}`,
    ...assertions.flatMap(({ title, details }) => [
      `  ${title}`.slice(0, COLUMNS_MAX),
      ...details()
        .slice(0, LINES_MAX)
        .map((line) => `    ${line}`.slice(0, COLUMNS_MAX)),
    ]),
  ])
  const names = failures.map(({ title }) => `not ok: ${title}`)
  const chances = shaky.map(({ title }) => `ok in a second run only: ${title}`)
  return [...details, ...chances, ...names, `${passed} passed, ${failures.length} failed`]
}
