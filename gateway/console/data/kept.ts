/** Choices that stay in this browser. A browser that keeps nothing forgets them, and that is all. */
export type Choice = 'theme' | 'project' | 'keys' | 'columns'

export function kept(choice: Choice): string | undefined {
  try {
    return localStorage.getItem(`sluice.${choice}`) ?? undefined
  } catch {
    return undefined // Storage is switched off.
  }
}

export function keep(choice: Choice, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(`sluice.${choice}`)
    else localStorage.setItem(`sluice.${choice}`, value)
  } catch {
    // Storage is switched off or full: the choice holds until the page is left.
  }
}
