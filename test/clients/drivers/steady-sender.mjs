// Sends numbered events with one version of posthog-node, a batch at a time, whatever becomes of the
// server meanwhile. Prints the ids that the events were given, and how often the library complained.
import { createRequire } from 'node:module'

const task = JSON.parse(process.argv[2])
const library = createRequire(import.meta.url)(task.library)
const PostHog = library.PostHog ?? library.default ?? library
const major = Number(task.version.split('.')[0])
/** The first major waits twice as long with each try; the others as long as they are told. */
const retries = major === 1 ? { retryCount: 8 } : { fetchRetryCount: 2_000, fetchRetryDelay: 20 }

const ids = []
const complaints = []
process.on('unhandledRejection', (error) => complaints.push(String(error)))

const client = new PostHog(task.projectKey, { host: task.url, flushAt: task.batch, ...retries })
client.on?.('error', (error) => complaints.push(String(error)))
client.on?.('capture', ({ uuid }) => uuid !== undefined && ids.push(uuid))

/** Waits until a batch is answered, however this version tells. */
async function flush() {
  if (major >= 4) return await client.flush()
  if (client.flushAsync !== undefined) return await client.flushAsync()
  // The first major takes one batch at a time, and calls back when it is answered.
  await new Promise((resolve) =>
    client.flush((error) => {
      if (error) complaints.push(String(error))
      resolve()
    }),
  )
}

for (let from = 0; from < task.count; from += task.batch) {
  const answered = []
  for (let index = from; index < from + task.batch; index++) {
    const event = { distinctId: `user-${index % 10}`, event: task.event, properties: { index } }
    if (major > 1) client.capture(event)
    else answered.push(new Promise((resolve) => client.capture(event, resolve)))
  }
  await flush()
  await Promise.all(answered)
}
if (major >= 4) await client.shutdown(60_000)
else if (major >= 2) await client.shutdownAsync()
else client.shutdown?.()
console.log(JSON.stringify({ ids, complaints }))
