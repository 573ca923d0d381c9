/**
 * Fair queue for a scarce resource: tracks what each group and each peer holds, and picks the next
 * waiter. Groups take turns, and within a group its peers do, so that neither one address with many
 * bodies nor one project with many addresses delays the others.
 */

/** Sender of a body. */
export type Sender = {
  /** Such as its address. */
  readonly peer: string
  /** Senders that share one quota: those of one project. */
  readonly group: string
}

/** Whether a waiter may have its turn now; `share`: others first; `full`: nobody may before it. */
export type Judge<W> = (waiter: W, sender: Sender) => 'fits' | 'share' | 'full'

const anybody = () => 'fits' as const

type Held = { places: number; bytes: number }
/** Peers that wait, in the order of their turns: one that was served goes to the end. */
type Group<W> = Held & { readonly waiting: Map<string, Set<W>> }
type Turn<W> = { readonly sender: Sender; readonly waiter: W }

export class FairQueue<W> {
  readonly #peers = new Map<string, Held>()
  /** In the order of their turns. */
  readonly #groups = new Map<string, Group<W>>()

  /** Groups and peers that have something here. */
  get size(): number {
    return this.#groups.size + this.#peers.size
  }

  /** Whether the peer or its group has bytes waiting or placed. */
  holdsBytes({ peer, group }: Sender): boolean {
    return (this.#peers.get(peer)?.bytes ?? 0) > 0 || (this.#groups.get(group)?.bytes ?? 0) > 0
  }

  enter({ peer, group }: Sender, bytes: number): void {
    this.#peer(peer).bytes += bytes
    this.#group(group).bytes += bytes
  }

  leave({ peer, group }: Sender, bytes: number): void {
    this.#peer(peer).bytes -= bytes
    this.#group(group).bytes -= bytes
    this.#forget({ peer, group })
  }

  wait({ peer, group }: Sender, waiter: W): void {
    const { waiting } = this.#group(group)
    const own = waiting.get(peer) ?? new Set()
    waiting.set(peer, own.add(waiter))
  }

  giveUp(sender: Sender, waiter: W): void {
    const { waiting } = this.#group(sender.group)
    const own = waiting.get(sender.peer)
    own?.delete(waiter)
    if (own?.size === 0) waiting.delete(sender.peer)
    this.#forget(sender)
  }

  release(sender: Sender): void {
    this.#peer(sender.peer).places -= 1
    this.#group(sender.group).places -= 1
    this.#forget(sender)
  }

  hasNext(placesMax: number, judge: Judge<W> = anybody): boolean {
    return this.#find(placesMax, judge) !== undefined
  }

  /**
   * Returns a waiter that may have a place: neither its group nor its peer has `placesMax` of them,
   * and `judge` has nothing against it.
   */
  next(placesMax: number, judge: Judge<W> = anybody): W | undefined {
    const found = this.#find(placesMax, judge)
    if (found === undefined) return undefined
    const { sender, waiter } = found
    const { peer, group } = sender
    const served = this.#group(group)
    served.places += 1
    this.#peer(peer).places += 1
    this.#groups.delete(group)
    this.#groups.set(group, served)
    const own = served.waiting.get(peer)
    served.waiting.delete(peer)
    own?.delete(waiter)
    if (own !== undefined && own.size > 0) served.waiting.set(peer, own)
    return waiter
  }

  /**
   * Moves a place with its bytes to the group that it turned out to belong to. False: that has
   * `placesMax` already, and others wait for a place.
   */
  move(sender: Sender, group: string, bytes: number, placesMax: number): boolean {
    if (group === sender.group) return true
    const isFull = (this.#groups.get(group)?.places ?? 0) >= placesMax
    if (isFull && this.#othersWait([group, sender.group])) return false
    const from = this.#group(sender.group)
    const to = this.#group(group)
    from.places -= 1
    from.bytes -= bytes
    to.places += 1
    to.bytes += bytes
    this.#forget(sender)
    return true
  }

  #othersWait(groups: readonly string[]): boolean {
    for (const [name, { waiting }] of this.#groups) {
      if (waiting.size > 0 && !groups.includes(name)) return true
    }
    return false
  }

  #find(placesMax: number, judge: Judge<W>): Turn<W> | undefined {
    for (const [group, { places, waiting }] of this.#groups) {
      if (places >= placesMax) continue
      for (const [peer, [waiter]] of waiting) {
        if ((this.#peers.get(peer)?.places ?? 0) >= placesMax || waiter === undefined) continue
        const verdict = judge(waiter, { peer, group })
        if (verdict === 'fits') return { sender: { peer, group }, waiter }
        // Smaller bodies do not overtake it: otherwise there would never be enough room for it.
        if (verdict === 'full') return undefined
      }
    }
    return undefined
  }

  #peer(name: string): Held {
    const known = this.#peers.get(name) ?? { places: 0, bytes: 0 }
    this.#peers.set(name, known)
    return known
  }

  #group(name: string): Group<W> {
    const known = this.#groups.get(name)
    if (known !== undefined) return known
    const made: Group<W> = { places: 0, bytes: 0, waiting: new Map() }
    this.#groups.set(name, made)
    return made
  }

  #forget({ peer, group }: Sender): void {
    if (isEmpty(this.#peers.get(peer))) this.#peers.delete(peer)
    const held = this.#groups.get(group)
    if (isEmpty(held) && held?.waiting.size === 0) this.#groups.delete(group)
  }
}

function isEmpty(held: Held | undefined): boolean {
  return held !== undefined && held.bytes <= 0 && held.places === 0
}
