// Ends what a test file has started, also what left its process group: servers that went to a
// session of their own, and what their parents left when they died. Linux only, as /proc is.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * New processes may appear while others end. After more rounds than this, something restarts them.
 */
const ROUNDS_MAX = 20

/**
 * A started test file: its process group, and the folders that no other file uses.
 * @typedef {{ group: number, folders: readonly string[] }} Started
 */

/**
 * Pids of living processes of a test file: those of its group, those that name its folder in what
 * they were started with or work in it, and all that such processes started.
 * @param {Started} file
 */
export function processesOf({ group, folders }) {
  const all = allProcesses()
  const ours = new Set(all.filter((each) => isOf(each, group, folders)).map(({ pid }) => pid))
  for (let size = -1; size !== ours.size; ) {
    size = ours.size
    for (const { pid, parent } of all) if (ours.has(parent)) ours.add(pid)
  }
  ours.delete(process.pid)
  return [...ours]
}

/** Kills all of them; returns how many there were. @param {Started} file */
export function endProcessesOf(file) {
  const ended = new Set()
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const pids = processesOf(file)
    if (pids.length === 0) break
    for (const pid of pids) {
      ended.add(pid)
      kill(pid)
    }
  }
  return ended.size
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

function isOf({ pid, processGroup }, group, folders) {
  if (pid === process.pid) return false
  if (processGroup === group) return true
  return folders.some((folder) => isIn(textOf(pid, 'cwd'), folder) || names(pid, folder))
}

function isIn(path, folder) {
  return path === folder || path.startsWith(`${folder}/`)
}

function names(pid, folder) {
  return ['cmdline', 'environ'].some((part) =>
    textOf(pid, part)
      .split('\0')
      .some((text) => text.endsWith(folder) || text.includes(`${folder}/`)),
  )
}

/** Empty for a process that has ended or that we may not read. */
function textOf(pid, part) {
  try {
    const path = `/proc/${pid}/${part}`
    return part === 'cwd' ? readlinkSync(path) : readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function allProcesses() {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    const stat = textOf(name, 'stat')
    // After the name of the program, which may hold anything: state, parent, process group.
    const [state, parent, processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie has ended; its parent has not noticed yet.
    if (stat === '' || state === 'Z') return []
    return [{ pid: Number(name), parent: Number(parent), processGroup: Number(processGroup) }]
  })
}
