import type { Plugin } from 'esbuild'

export const worldMap: Plugin
export function worldSvg(): string
