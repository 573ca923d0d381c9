// Stands in for `async-hook-domain` in the tap of a run: errors that reach the process fail the file
// that runs now. The original follows every promise to tell which test started it, which doubles
// the time of tests that make many.

const domains = new Set()
const { emit } = process

export class Domain {
  constructor(onerror) {
    this.onerror = onerror
    if (domains.size === 0) {
      process.on('uncaughtExceptionMonitor', take)
      process.emit = emitUnlessTaken
    }
    domains.add(this)
  }

  destroy() {
    if (!domains.delete(this) || domains.size > 0) return
    process.removeListener('uncaughtExceptionMonitor', take)
    process.emit = emit
  }
}

/** True once the test that runs has the error. A test's own listener comes first. */
function take(error, origin, isRejection = false) {
  const hasOther =
    process.hasUncaughtExceptionCaptureCallback() || process.listenerCount('uncaughtException') > 0
  // The file of a shared process, else the root, which is made first.
  const domain = globalThis[Symbol.for('sluice.test.file')]?.hookDomain ?? [...domains][0]
  if (hasOther || domain === undefined) return false
  domain.onerror(error, origin)
  if (!isRejection) {
    // Once: the process continues after this error alone.
    process.setUncaughtExceptionCaptureCallback(() => {
      process.setUncaughtExceptionCaptureCallback(null)
    })
  }
  return true
}

function emitUnlessTaken(event, ...args) {
  const isOurs = event === 'unhandledRejection' && process.listenerCount(event) === 0
  return isOurs ? take(args[0], event, true) : emit.call(process, event, ...args)
}
