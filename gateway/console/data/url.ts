/** State of a page in its address, so that a link shows another user the same view. */
import { useCallback } from 'preact/hooks'
import { navigate, useSearch } from 'wouter-preact/use-browser-location'

/** Search parameters with these changed; undefined takes one out. The order stays. */
export function changedSearch(
  search: string,
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const parameters = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) parameters.delete(name)
    else parameters.set(name, value)
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

export type SetQuery = (
  changes: Readonly<Record<string, string | undefined>>,
  how?: { readonly replace?: boolean },
) => void

/** The search parameters of the address, and a way to change several at once. */
export function useQuery(): readonly [URLSearchParams, SetQuery] {
  const search = useSearch()
  const set = useCallback<SetQuery>((changes, how) => {
    const next = changedSearch(location.search, changes)
    if (next === location.search) return
    navigate(location.pathname + next + location.hash, { replace: how?.replace ?? false })
  }, [])
  return [new URLSearchParams(search), set]
}

/** One search parameter. Its fallback is not written into the address. */
export function useQueryState(
  name: string,
  fallback: string,
): readonly [string, (value: string, how?: { readonly replace?: boolean }) => void] {
  const [query, setQuery] = useQuery()
  const set = useCallback(
    (value: string, how?: { readonly replace?: boolean }) => {
      setQuery({ [name]: value === fallback ? undefined : value }, how)
    },
    [name, fallback, setQuery],
  )
  return [query.get(name) ?? fallback, set]
}
