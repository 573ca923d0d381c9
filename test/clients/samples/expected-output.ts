/** Output that samples promise. */

export type Step = {
  readonly code: string
  /** Undefined where the sample does not say. */
  readonly prints: string | undefined
}

/**
 * The commands of a block of a shell, parted by empty lines, with the lines `# …` directly below them
 * as what they print. A comment behind an empty line, or at the start, is a comment.
 */
export function stepsOf(block: string): readonly Step[] {
  const steps: Step[] = []
  let code: string[] = []
  let prints: string[] = []
  const end = () => {
    if (code.some((line) => line.trim() !== '')) {
      steps.push({ code: code.join('\n'), prints: prints.join('\n') || undefined })
    }
    code = []
    prints = []
  }
  for (const line of block.split('\n')) {
    const said = /^# (.+)$/.exec(line)?.[1]
    const isBelow = prints.length > 0 || isCommand(code.at(-1))
    if (said !== undefined && isBelow) {
      prints.push(said)
      continue
    }
    if (prints.length > 0 || line.trim() === '') end()
    if (code.length > 0 || line.trim() !== '') code.push(line)
  }
  end()
  return steps
}

function isCommand(line: string | undefined): boolean {
  return line !== undefined && line.trim() !== '' && !line.startsWith('#')
}

/** Outputs promised by the comments `// prints …` of a script, in order. */
export function printsOf(script: string): string | undefined {
  const said = [...script.matchAll(/^ *\/\/ prints (.+)$/gm)].map(([, text]) => text)
  return said.length === 0 ? undefined : said.join('\n')
}

/** Whether a text is what a sample says; `…` stands for anything, spaces count as one or none. */
export function isAsSaid(said: string, text: string): boolean {
  const parts = said
    .split('…')
    .map((part) => withoutSpaces(part).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^]*')}$`).test(withoutSpaces(text))
}

function withoutSpaces(text: string): string {
  return text.replaceAll(/\s+/g, '')
}
