/** Links of the console change the page without loading it anew. */

/** Paths that the console renders; all other paths of this origin are the server's. */
const OWN = /^\/(?:$|login\/?$|cluster\/?$|project(?:\/|$))/

/** @returns a function that removes the listener. */
export function followLinks(navigate: (to: string) => void): () => void {
  const follow = (event: MouseEvent) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey
    if (event.defaultPrevented || !isPlain || event.altKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null || link.target !== '' || link.hasAttribute('download')) return
    const to = new URL(link.href)
    if (to.origin !== location.origin || !OWN.test(to.pathname)) return
    const isHere = to.pathname === location.pathname && to.search === location.search
    if (isHere && to.hash !== '') return
    event.preventDefault()
    navigate(to.pathname + to.search + to.hash)
  }
  addEventListener('click', follow)
  return () => removeEventListener('click', follow)
}
