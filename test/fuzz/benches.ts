/** Where the inputs of each target are made and tried. */
import { createChildBench } from './child-bench.ts'
import { makeBody } from './grammars/bodies.ts'
import { makeExpression } from './grammars/expressions.ts'
import { makeFlag } from './grammars/flags.ts'
import { makeGrpc } from './grammars/grpc.ts'
import { makeHttp } from './grammars/http.ts'
import { makePlugin } from './grammars/plugins.ts'
import { makeSavedFlag } from './grammars/saved-flags.ts'
import { judgeGrpc } from './judges/grpc.ts'
import { judgeBodies, judgeExpressions, judgeHttp } from './judges/http.ts'
import { judgeSavedFlags } from './judges/saved-flags.ts'
import { type Server, startServer } from './server.ts'
import type { Bench, Grammar, Judge, TargetName } from './target.ts'

export const GRAMMARS: Readonly<Record<TargetName, Grammar>> = {
  http: makeHttp,
  bodies: makeBody,
  grpc: makeGrpc,
  expressions: makeExpression,
  flags: makeFlag,
  plugins: makePlugin,
  'saved-flags': makeSavedFlag,
}

/** One process for the targets of the network, others for those within. */
export type Benches = {
  readonly of: (target: TargetName) => Bench
  readonly close: () => Promise<void>
}

export function createBenches(): Benches {
  let server: Promise<Server> | undefined
  const open = () => {
    server ??= startServer()
    return server
  }
  const end = async () => {
    const ending = server
    server = undefined
    if (ending !== undefined) await (await ending).close()
  }
  const served = (judgeOf: (server: Server) => Judge): Bench => ({
    judge: async (input) => await judgeOf(await open())(input),
    look: async () => await (await open()).look(),
    renew: end,
    close: end,
  })
  const all: Readonly<Record<TargetName, Bench>> = {
    http: served(judgeHttp),
    bodies: served(judgeBodies),
    grpc: served(judgeGrpc),
    expressions: served(judgeExpressions),
    flags: createChildBench('flags'),
    plugins: createChildBench('plugins'),
    'saved-flags': served(judgeSavedFlags),
  }
  return {
    of: (target) => all[target],
    close: async () => {
      await end()
      await all.flags.close()
      await all.plugins.close()
    },
  }
}
