/** Paged list: the first page is loaded at once, and the others on demand. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { isAbort } from './failure.ts'
import { type Resource, useResource } from './resource.ts'

export type Paged<Page> = {
  readonly first: Resource<Page>
  /** The first, and those after it. */
  readonly pages: readonly Page[]
  readonly isLoadingMore: boolean
  /** Error of the last page that failed to load. */
  readonly error: unknown
  readonly loadMore: () => void
}

type Further<Page> = {
  /** The first page that they follow. */
  readonly of: Page
  readonly pages: readonly Page[]
  readonly error?: unknown
  readonly isLoading: boolean
}

/** @param load is given the pages that there are, and answers the next one. */
export function usePaged<Page>(
  question: string,
  load: (before: readonly Page[], signal: AbortSignal) => Promise<Page>,
): Paged<Page> {
  const first = useResource(question, (signal) => load([], signal))
  const [kept, setKept] = useState<Further<Page>>()
  const leaving = useRef<AbortController>()
  useEffect(
    () => () => {
      leaving.current?.abort()
      setKept(undefined)
    },
    [question],
  )
  const { data } = first
  const further = kept !== undefined && kept.of === data ? kept : undefined
  const pages = data === undefined ? [] : [data, ...(further?.pages ?? [])]
  const loadMore = () => {
    if (data === undefined || further?.isLoading === true || first.isStale) return
    const before: Further<Page> = { of: data, pages: further?.pages ?? [], isLoading: true }
    leaving.current = new AbortController()
    setKept(before)
    load(pages, leaving.current.signal).then(
      (page) => setKept({ of: data, pages: [...before.pages, page], isLoading: false }),
      (error: unknown) => {
        if (!isAbort(error)) setKept({ ...before, error, isLoading: false })
      },
    )
  }
  return {
    first,
    pages,
    loadMore,
    isLoadingMore: further?.isLoading === true,
    error: further?.error,
  }
}
