/** What a worker with a copy of the events loads, and no other one. */
export { openCopy, openOwnCopy } from './open-copy.ts'
export { createCopyReads } from './read/read-copy.ts'
export { runShipper } from './shipper.ts'
