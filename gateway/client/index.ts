/** The typed client of the management interface: `createClient`, then one function a call. */
export * from './calls.ts'
export * from './runtime.ts'
export type * from './types.ts'
