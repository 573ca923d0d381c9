import type { FunctionComponent } from 'preact'
import { useResource } from '../data/resource.ts'
import { FailureNote } from './failure.tsx'
import { Skeleton } from './skeleton.tsx'

type LaterProps<Props> = {
  /** Names the part, once in the console. */
  readonly part: string
  readonly load: () => Promise<FunctionComponent<Props>>
  readonly props: Props
  /** Of what stands there meanwhile, in pixels. */
  readonly height: number
}

/** A part of a page whose code is fetched when it is shown for the first time. */
export function Later<Props extends object>({ part, load, props, height }: LaterProps<Props>) {
  const code = useResource(`code ${part}`, load)
  if (code.data === undefined) {
    return code.error === undefined ? (
      <Skeleton height={height} />
    ) : (
      <FailureNote error={code.error} onRetry={code.reload} />
    )
  }
  const Part = code.data
  return <Part {...props} />
}
