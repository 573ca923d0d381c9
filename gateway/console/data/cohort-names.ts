import { signal } from '@preact/signals'

/** Names of cohorts by id, as far as a page has asked for them. */
export const cohortNames = signal<ReadonlyMap<number, string>>(new Map())
