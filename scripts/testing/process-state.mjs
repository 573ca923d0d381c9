// Compares and restores the state of a process that test files share.

/** Records the state of the process. */
export function lookAtProcess() {
  const env = { ...process.env }
  const folder = process.cwd()
  const mask = process.umask()
  const globals = Object.getOwnPropertyDescriptors(globalThis)
  const listeners = new Map(process.eventNames().map((name) => [name, process.rawListeners(name)]))
  return {
    /** Restores differing parts, and returns their names. */
    restore: () => [
      ...restoreEnv(env),
      ...restoreGlobals(globals),
      ...restoreListeners(listeners),
      ...restoreFolder(folder),
      ...restoreMask(mask),
    ],
  }
}

function restoreEnv(before) {
  const names = new Set([...Object.keys(before), ...Object.keys(process.env)])
  const changed = [...names].filter((name) => process.env[name] !== before[name])
  for (const name of changed) {
    if (before[name] === undefined) delete process.env[name]
    else process.env[name] = before[name]
  }
  return changed.map((name) => `environment: ${name}`)
}

function restoreGlobals(before) {
  const now = Object.getOwnPropertyDescriptors(globalThis)
  const names = new Set([...Reflect.ownKeys(before), ...Reflect.ownKeys(now)])
  const changed = [...names].filter(
    (name) => !isOfLibrary(name) && !isSame(before[name], now[name]),
  )
  for (const name of changed) {
    if (before[name] === undefined) Reflect.deleteProperty(globalThis, name)
    else Object.defineProperty(globalThis, name, before[name])
  }
  return changed.map((name) => `global: ${String(name)}`)
}

/** Libraries keep what is theirs in a process here, from their first use on: Node's own `fetch` its connections. */
function isOfLibrary(name) {
  // Puppeteer brings this class where Node lacks it.
  if (name === 'URLPattern') return true
  return typeof name === 'symbol' && /^(?:undici|posthog-node)\./.test(name.description ?? '')
}

/** Node replaces the getter of a lazy global by its value when it is first read. */
function isSame(before, now) {
  if (before === undefined || now === undefined) return before === now
  if (before.get !== undefined && now.get === undefined) return true
  return Object.is(before.value, now.value) && before.get === now.get && before.set === now.set
}

function restoreListeners(before) {
  const changed = []
  for (const name of new Set([...before.keys(), ...process.eventNames()])) {
    // Libraries clean up with it, for as long as the process lives.
    if (name === 'exit') continue
    const expected = before.get(name) ?? []
    const added = process.rawListeners(name).filter((listener) => !expected.includes(listener))
    const gone = expected.filter((listener) => !process.rawListeners(name).includes(listener))
    for (const listener of added) process.off(name, listener)
    for (const listener of gone) process.on(name, listener)
    if (added.length + gone.length > 0) changed.push(`listener: ${String(name)}`)
  }
  return changed
}

function restoreFolder(before) {
  if (process.cwd() === before) return []
  process.chdir(before)
  return ['working folder']
}

function restoreMask(before) {
  return process.umask(before) === before ? [] : ['umask']
}
