/** Name under which the user has called this program, so that help prints commands that work. */
import { delimiter, dirname, isAbsolute, relative, resolve } from 'node:path'
import { type Environment, environment } from '../core/config/config.ts'

/** `sluice` where the shell finds it, `npx sluice` under npm, else the path of the program. */
export function typedName(
  program: string | undefined = process.argv[1],
  env: Environment = environment(),
  cwd: string = process.cwd(),
): string {
  if (env['npm_command'] !== undefined || program === undefined) return 'npx sluice'
  const folder = dirname(program)
  const searched = (env['PATH'] ?? '').split(delimiter).filter(isAbsolute)
  if (searched.some((each) => resolve(each) === folder)) return 'sluice'
  const path = relative(cwd, program)
  if (path.startsWith('..') || isAbsolute(path)) return program
  return path.includes('/') ? path : `./${path}`
}

/** A command of this program within a text: `sluice` and the name of a command. */
const COMMAND = /(?<![\w/.-]|npx )sluice (?=[a-z])/g

/** The text with each command as it is typed here. */
export function asTyped(text: string, name: string = typedName()): string {
  return name === 'sluice' ? text : text.replace(COMMAND, () => `${name} `)
}
