/** Colours of drawn charts: those of `gateway/console/styles/tokens.css`. */

export type ThemeName = 'light' | 'dark'

export type Theme = {
  readonly surface: string
  readonly sunken: string
  readonly line: string
  readonly lineStrong: string
  readonly text: string
  readonly text2: string
  readonly text3: string
  readonly accent: string
  /** Colours of series. */
  readonly tones: readonly string[]
}

export const THEMES: Readonly<Record<ThemeName, Theme>> = {
  light: {
    surface: '#ffffff',
    sunken: '#eef0f2',
    line: '#e2e5e9',
    lineStrong: '#8b93a0',
    text: '#15181d',
    text2: '#4b5360',
    text3: '#646c79',
    accent: '#0b7268',
    tones: [
      ...['#0b7268', '#3556c4', '#b0480e', '#7a3fb0'],
      ...['#9c1f5b', '#5c6b00', '#1c6b94', '#646c79'],
    ],
  },
  dark: {
    surface: '#1a1c20',
    sunken: '#24272d',
    line: '#2c3037',
    lineStrong: '#717a88',
    text: '#eceef1',
    text2: '#b4bac4',
    text3: '#929aa7',
    accent: '#4fc4b5',
    tones: [
      ...['#4fc4b5', '#8ea6ff', '#f0935c', '#c39af0'],
      ...['#f187b5', '#b9c65a', '#72bde6', '#929aa7'],
    ],
  },
}

export function toneOf(theme: Theme, index: number): string {
  return theme.tones[index % theme.tones.length] ?? theme.text
}
