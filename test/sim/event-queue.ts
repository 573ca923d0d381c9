/** An event at a moment. Events at the same moment are ordered by `tie`, the smaller one first. */
export type Timed = { at: number; tie: number }

/** Future events, the soonest first: a binary heap. */
export type EventQueue<Entry extends Timed> = {
  push(entry: Entry): void
  pop(): Entry | undefined
}

export function createEventQueue<Entry extends Timed>(): EventQueue<Entry> {
  const heap: Entry[] = []
  const isSooner = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.tie < b.tie)

  const rise = (entry: Entry, from: number) => {
    let index = from
    while (index > 0) {
      const above = (index - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || !isSooner(entry, parent)) break
      heap[index] = parent
      index = above
    }
    heap[index] = entry
  }
  const sink = (entry: Entry) => {
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      let child = heap[left]
      if (child === undefined) break
      let below = left
      const other = heap[left + 1]
      if (other !== undefined && isSooner(other, child)) {
        child = other
        below = left + 1
      }
      if (!isSooner(child, entry)) break
      heap[index] = child
      index = below
    }
    heap[index] = entry
  }

  return {
    push(entry) {
      heap.push(entry)
      rise(entry, heap.length - 1)
    },
    pop() {
      const [first] = heap
      const last = heap.pop()
      if (last !== undefined && last !== first) sink(last)
      return first
    },
  }
}
