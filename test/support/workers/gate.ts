/** Gate that a test waits for, or that waits for the test. */
export type Gate = { readonly opened: Promise<void>; open(): void }

export function createGate(): Gate {
  let open: () => void = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
