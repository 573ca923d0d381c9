import type { Theme } from './theme.ts'

/** The part of a picture in which a chart is drawn. */
export type Box = {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly theme: Theme
}

/** Size of small texts: axes, legends, notes. */
export const SMALL = 12
