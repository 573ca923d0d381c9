import type { ComponentChildren, ComponentType, FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button } from './button.tsx'

type State<Props> = {
  readonly Part?: ComponentType<Props> | undefined
  readonly failed?: true
}

/**
 * A component whose code comes when it is shown for the first time: a page stands before the parts
 * that not everybody opens.
 * @param waiting stands in its place meanwhile.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting?: (props: Props) => ComponentChildren,
): FunctionComponent<Props> {
  let known: ComponentType<Props> | undefined
  return function Later(props) {
    const [{ Part, failed }, setState] = useState<State<Props>>({ Part: known })
    useEffect(() => {
      let isHere = true
      if (known === undefined) {
        load().then(
          (loaded) => {
            known = loaded
            if (isHere) setState({ Part: loaded })
          },
          () => isHere && setState({ failed: true }),
        )
      }
      return () => {
        isHere = false
      }
    }, [])
    if (failed === true) return <NotLoaded />
    if (Part === undefined) return <>{waiting?.(props)}</>
    return <Part {...props} />
  }
}

function NotLoaded() {
  return (
    <div class="failure" role="alert">
      <p>This part could not be loaded. The server may have been updated meanwhile.</p>
      <Button onClick={() => location.reload()}>Try again</Button>
    </div>
  )
}
