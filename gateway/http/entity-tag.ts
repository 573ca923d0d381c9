/**
 * True when `If-None-Match` names the tag or is `*`. The comparison is weak, as RFC 9110 requires
 * for GET: a proxy that recompresses an answer makes its tag weak.
 * @param tag with its quotes, strong or weak.
 */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const tags = ifNoneMatch.split(',').map((each) => opaque(each.trim()))
  return tags.includes(opaque(tag)) || tags.includes('*')
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '')
}
