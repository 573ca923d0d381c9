/** The owner of what the test files of a process share. */

const PROCESS = Symbol.for('sluice.test.process')

type Owner = { teardown(end: () => unknown): unknown }

/** Its teardowns come after the last file of the process, whether it runs one file or many. */
export async function ofProcess(): Promise<Owner> {
  const root: Owner | undefined = Reflect.get(globalThis, PROCESS)
  // Not before it is asked for: tap takes a process that imports it for a test.
  return root ?? (await import('tap')).default
}
