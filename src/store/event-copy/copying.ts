/** Entry point of the copy, imported only when EVENTS_URL is set. */
export { openCopy, openOwnCopy } from './open-copy.ts'
export { createCopyReads } from './read/read-copy.ts'
export { runShipper } from './shipper.ts'
