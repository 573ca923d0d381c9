/** The titles of tests with their files: all, or those that contain every given word. */
import { readRepository } from './house/repository.ts'
import { readTree } from './house/tree.ts'

const words = process.argv.slice(2).map((word) => word.toLowerCase())
const tree = readTree(readRepository())
for (const path of tree.sources.filter((source) => source.startsWith('test/'))) {
  for (const title of tree.testTitlesOf(path)) {
    const line = `${path}: ${title}`
    if (words.every((word) => line.toLowerCase().includes(word))) process.stdout.write(`${line}\n`)
  }
}
