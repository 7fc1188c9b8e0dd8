// Where the program begins. Without top-level await: the bundle is CommonJS.
import { runCommandLine } from './cli/command-line.ts'

void runCommandLine(process.argv.slice(2)).then((status) => process.exit(status))
