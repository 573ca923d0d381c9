/** Runs the samples of a document as its reader would. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { packageRoot } from '../../../src/core/package-root.ts'
import { pause } from '../../support/until.ts'
import type { TestBrowser } from '../support/browser.ts'
import { runProgram } from '../support/child.ts'
import { isAsSaid, printsOf, stepsOf } from './expected-output.ts'
import type { FreshClone } from './fresh-clone.ts'
import type { Sample } from './read-samples.ts'
import { runOnOtherPage, runOnOwnPage } from './run-in-browser.ts'
import { openShell, type Shell } from './shell.ts'

export type Stage = { readonly clone: FreshClone; readonly browser: TestBrowser }

/** A sample that says what it prints, and printed something else. */
export class WrongOutput extends Error {
  constructor(place: string, said: string, printed: string) {
    super(`${place} says that it prints\n${said}\nand prints\n${printed}`)
  }
}

/**
 * Runs samples of one document in order, those of a shell in one shell. The instance runs already.
 * @throws {Error} at the first that fails, or that prints what it does not say.
 */
export async function runSamples(stage: Stage, samples: readonly Sample[]): Promise<void> {
  const { clone } = stage
  // In other documents they are as the README has set them.
  const variables = { PROJECT_KEY: clone.keys.project, PERSONAL_KEY: clone.keys.personal }
  const known = samples.some(({ how }) => how.kind === 'start') ? {} : variables
  const shell = openShell(clone.folder, clone.aside, { ...readerEnv(clone), ...known })
  try {
    for (const sample of samples) {
      try {
        await runSample(stage, shell, sample)
      } catch (error) {
        if (error instanceof WrongOutput) throw error
        const why = error instanceof Error ? error.message : String(error)
        throw new Error(`${sample.place} ${why}`, { cause: error })
      }
    }
  } finally {
    await shell.close()
  }
}

async function runSample(stage: Stage, shell: Shell, sample: Sample): Promise<void> {
  const { place, how, output } = sample
  const code = stage.clone.ours(sample.code)
  switch (how.kind) {
    case 'shell': {
      for (const { code: lines, prints } of stepsOf(code)) {
        const printed = await patiently(() => shell.run(lines, prints !== undefined))
        check(place, prints, printed)
        check(place, output, printed)
      }
      return
    }
    case 'node':
      check(place, output ?? printsOf(code), await runModule(stage.clone, code))
      return
    case 'browser':
      check(place, printsOf(code), await runOnOwnPage(stage, code))
      check(place, printsOf(code), await runOnOtherPage(stage, code))
      return
    case 'start':
    case 'elsewhere':
    case 'not_run':
      return
    default:
      return how satisfies never
  }
}

const BUSY = /curl: \(22\) The requested URL returned error: 503/
const BUSY_TRIES = 5

/** A busy machine may answer 503, which has stored nothing: a reader tries again. */
async function patiently(run: () => Promise<string>): Promise<string> {
  for (let tries = 1; ; tries++) {
    const printed = await run()
    if (tries === BUSY_TRIES || !BUSY.test(printed)) return printed
    await pause(1_000)
  }
}

function check(place: string, said: string | undefined, printed: string): void {
  if (said !== undefined && !isAsSaid(said, printed)) throw new WrongOutput(place, said, printed)
}

/** Output of a script that is saved in the clone, where packages are found. */
export async function runModule({ folder }: FreshClone, code: string): Promise<string> {
  const file = join(folder, 'sample.mjs')
  writeFileSync(file, code)
  return await runProgram([process.execPath, file], { folder })
}

/** The commands of the clone are found by their name, and a grpcurl where the machine has none. */
function readerEnv({ folder, aside, env }: FreshClone): Readonly<Record<string, string>> {
  const path = [join(folder, 'bin'), ...(env['PATH'] ?? '').split(delimiter)]
  if (!path.some((each) => existsSync(join(each, 'grpcurl')))) path.push(standIns(folder, aside))
  return { ...env, PATH: path.join(delimiter) }
}

function standIns(folder: string, aside: string): string {
  const programs = join(aside, 'programs')
  if (existsSync(programs)) return programs
  mkdirSync(programs)
  const program = join(programs, 'grpcurl')
  copyFileSync(
    join(packageRoot, 'test', 'clients', 'samples', 'grpcurl.mjs'),
    join(folder, 'grpcurl.mjs'),
  )
  writeFileSync(
    program,
    `#!/bin/sh\nexec '${process.execPath}' '${join(folder, 'grpcurl.mjs')}' "$@"\n`,
  )
  chmodSync(program, 0o755)
  return programs
}
