// Module behind `import t from 'tap'` in the processes of a run: tap's root, or, in a process that
// several files share, the subtest of the file that runs now. Copied beside the bundle by
// tap-build.mjs.
import root from '@tapjs/bundled'

export * from '@tapjs/bundled'

const FILE = Symbol.for('sluice.test.file')

export const ofFile = new Proxy(root, {
  get(target, key) {
    const t = globalThis[FILE] ?? target
    const value = Reflect.get(t, key, t)
    return typeof value === 'function' ? value.bind(t) : value
  },
  set(target, key, value) {
    const t = globalThis[FILE] ?? target
    return Reflect.set(t, key, value, t)
  },
})
