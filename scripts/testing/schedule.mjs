// Runs jobs concurrently: as many as their weights allow, in the given order.

/**
 * A job that does not fit yet holds up all later ones. Lighter jobs would otherwise always overtake
 * it.
 * @param {readonly { weight: number, run: () => Promise<unknown> }[]} jobs
 * @param {number} capacity sum of the weights that run at a time. A heavier job runs alone.
 */
export async function runJobs(jobs, capacity) {
  const waiting = [...jobs]
  const running = new Map()
  let load = 0
  while (waiting.length + running.size > 0) {
    while (waiting.length > 0) {
      const [job] = waiting
      if (load + job.weight > capacity && running.size > 0) break
      waiting.shift()
      load += job.weight
      running.set(
        job,
        job.run().then(() => job),
      )
    }
    const ended = await Promise.race(running.values())
    running.delete(ended)
    load -= ended.weight
  }
}
