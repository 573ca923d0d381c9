export type Mutant = {
  readonly line: number
  readonly before: string
  readonly after: string
  readonly text: string
}

export function mutantsOf(source: string): readonly Mutant[]
