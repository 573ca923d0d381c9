// Module behind `import fc from 'fast-check'` in the processes of a run. In CI properties are tried
// on the same values each time, so that a failure comes from the change; by hand on random ones.
// `SEED=n` repeats a run. Copied beside the library's name by tap-build.mjs.
import fc from '@fast-check/itself'

export * from '@fast-check/itself'
export { fc }

const ALWAYS = process.env.CI === 'true' ? 20_261_127 : undefined
const seed = Number(process.env.SEED ?? ALWAYS)
// A property that names a seed of its own keeps it.
if (Number.isInteger(seed)) fc.configureGlobal({ seed })
