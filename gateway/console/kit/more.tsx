import type { ComponentChildren } from 'preact'
import type { Paged } from '../data/paged.ts'
import { Button } from './button.tsx'
import { FailureNote } from './failure.tsx'

type MoreProps = {
  readonly of: Pick<Paged<unknown>, 'isLoadingMore' | 'error' | 'loadMore'>
  readonly hasMore: boolean
  /** How many are shown. */
  readonly children: ComponentChildren
}

/** The foot of a list: how much of it is shown, and more on demand. */
export function More({ of, hasMore, children }: MoreProps) {
  const { isLoadingMore, error, loadMore } = of
  return (
    <>
      {error !== undefined && <FailureNote error={error} onRetry={loadMore} />}
      <p class="more">
        {hasMore && (
          <Button busy={isLoadingMore} onClick={loadMore}>
            Load more
          </Button>
        )}
        <span>{children}</span>
      </p>
    </>
  )
}
