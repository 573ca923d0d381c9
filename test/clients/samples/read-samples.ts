/**
 * The fenced blocks of a document, in order, each with how it is run. docs/TESTING.md has the rules
 * for writers.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../src/core/package-root.ts'

export type Sample = {
  /** `README.md:12`: its document and first line. */
  readonly place: string
  readonly code: string
  /** A block below it that says what it prints. */
  readonly output: string | undefined
  readonly how: How
}

export type How =
  | { readonly kind: 'start' | 'shell' | 'node' | 'browser' }
  /** A test of its own runs it as it stands. */
  | { readonly kind: 'elsewhere'; readonly path: string }
  | { readonly kind: 'not_run'; readonly reason: string }

type Block = {
  readonly place: string
  readonly language: string
  readonly code: string
  /** Text of a comment above it. */
  readonly mark: string | undefined
}

const FENCE = /^ *```(\w*)/
const MARK = /^<!-- sample: (.+) -->$/
const MARK_OF_ALL = /^<!-- samples: (.+) -->$/
const START = 'npm start'
/** Languages of what is data or a drawing. */
const TEXT = ['', 'json', 'mermaid']

/** @throws {Error} for each block that no rule is for. */
export function readSamples(document: string, root: string = packageRoot): readonly Sample[] {
  const samples: Sample[] = []
  let above: Block | undefined
  for (const block of blocksOf(readFileSync(join(root, document), 'utf8'), document)) {
    const last = samples.at(-1)
    const isOutput = block.language === 'json' && block.mark === undefined && isRun(last, above)
    above = block
    if (isOutput && last !== undefined) {
      samples.splice(-1, 1, { ...last, output: block.code })
    } else if (block.mark !== undefined || !TEXT.includes(block.language)) {
      const { place, code } = block
      samples.push({ place, code, output: undefined, how: howOf(block, root) })
    }
  }
  return samples
}

function isRun(sample: Sample | undefined, above: Block | undefined): boolean {
  return sample !== undefined && sample.place === above?.place && sample.how.kind !== 'not_run'
}

function howOf({ place, language, code, mark }: Block, root: string): How {
  if (mark === 'browser') return { kind: 'browser' }
  const reason = /^not run, (.{10,})$/.exec(mark ?? '')?.[1]
  if (reason !== undefined) return { kind: 'not_run', reason }
  const path = /^run by (\S+)$/.exec(mark ?? '')?.[1]
  if (path !== undefined && existsSync(join(root, path))) return { kind: 'elsewhere', path }
  if (mark !== undefined) throw new Error(`${place}: no rule is "${mark}"`)
  const snippet = snippets(root).find((each) => each.code === code.trim())
  if (snippet !== undefined) return { kind: 'elsewhere', path: snippet.path }
  if (language === 'sh') return { kind: code.trim() === START ? 'start' : 'shell' }
  if (language === 'js') return { kind: 'node' }
  throw new Error(`${place}: no rule says how a block of ${language} is run, or why it is not`)
}

/** Samples that the tests of client libraries run. */
function snippets(root: string): readonly { path: string; code: string }[] {
  const folder = join('test', 'clients', 'snippets')
  return readdirSync(join(root, folder)).map((file) => {
    const path = join(folder, file)
    return { path, code: readFileSync(join(root, path), 'utf8').trim() }
  })
}

function blocksOf(text: string, document: string): readonly Block[] {
  const blocks: Block[] = []
  let open: { language: string; line: number; lines: string[] } | undefined
  let mark: string | undefined
  let markOfAll: string | undefined
  for (const [index, line] of text.split('\n').entries()) {
    const fence = FENCE.exec(line)
    if (fence === null) {
      if (open !== undefined) open.lines.push(line)
      else if (line.trim() !== '') mark = MARK.exec(line)?.[1]
      markOfAll ??= MARK_OF_ALL.exec(line)?.[1]
    } else if (open === undefined) {
      open = { language: fence[1] ?? '', line: index + 1, lines: [] }
    } else {
      const { language, line: first, lines } = open
      const place = `${document}:${first}`
      const isText = TEXT.includes(language)
      blocks.push({
        ...{ place, language, code: lines.join('\n') },
        mark: mark ?? (isText ? undefined : markOfAll),
      })
      open = undefined
      mark = undefined
    }
  }
  if (open !== undefined) throw new Error(`${document}:${open.line}: a block without an end`)
  return blocks
}
