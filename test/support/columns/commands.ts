/** Commands of an operator, asked of a running product. */
import type { Product } from '../servers/product.ts'
import { runCommand } from '../servers/run-command.ts'

export function commandsOf(product: Product) {
  return async (...args: string[]) => {
    const { grpc } = product.process.ports
    const settings = { DATA_DIR: product.settings['DATA_DIR'] ?? '', GRPC_PORT: String(grpc) }
    const { status, stdout, stderr } = await runCommand(args, settings)
    return { status, text: stdout.toString(), stderr: stderr.toString() }
  }
}
