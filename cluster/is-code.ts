import { AppError, type Code } from '../src/core/code.ts'

/** Whether something failed as the registry says that it may. */
export function isCode(error: unknown, code: Code): boolean {
  return error instanceof AppError && error.code === code
}
