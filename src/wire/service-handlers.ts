import type { Handler } from './call.ts'

/** The unary handlers of a generated service definition, by method. */
export type ServiceHandlers<Definition> = {
  [Name in MethodName<Definition>]: Definition[Name] extends {
    requestDeserialize: (bytes: Buffer) => infer Request
    responseSerialize: (value: infer Response) => Buffer
  }
    ? Handler<Request, Response>
    : never
}

/** Names of methods without the index signature that definitions also have. */
type MethodName<Definition> = keyof {
  [Name in keyof Definition as string extends Name
    ? never
    : number extends Name
      ? never
      : Name]: unknown
} &
  keyof Definition
