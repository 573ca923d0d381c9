/** Checked questions of all kinds. */
import type { ActorsQuestion, NumbersQuestion } from './question.ts'
import type { WebQuestion } from './web/web-question.ts'

/** A question whose answer is cached. */
export type CachedQuestion = NumbersQuestion | WebQuestion

export type Question = CachedQuestion | ActorsQuestion
