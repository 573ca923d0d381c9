/** Levels of members, as the interface numbers them. */
export const ADMINISTRATOR = 8
export const OWNER = 15

export const LEVELS = [
  { value: '1', label: 'Member' },
  { value: '8', label: 'Administrator' },
  { value: '15', label: 'Owner' },
] as const

export function nameOfLevel(level: number): string {
  return LEVELS.find(({ value }) => value === String(level))?.label ?? `Level ${level}`
}
