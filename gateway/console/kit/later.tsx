import type { ComponentChildren, ComponentType, FunctionComponent } from 'preact'
import { useResource } from '../data/resource.ts'
import { CodeFailure } from './failure.tsx'

let count = 0

/**
 * A component whose code is loaded when it is shown for the first time.
 * @param waiting is shown in its place meanwhile.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting?: (props: Props) => ComponentChildren,
): FunctionComponent<Props> {
  count += 1
  const name = `code ${count}`
  return function Later(props) {
    const code = useResource(name, load)
    const { data: Part } = code
    if (Part !== undefined) return <Part {...props} />
    return code.error === undefined ? waiting?.(props) : <CodeFailure {...code} />
  }
}
