// Where the program begins.
import { runCommandLine } from './cli/command-line.ts'

process.exit(await runCommandLine(process.argv.slice(2)))
