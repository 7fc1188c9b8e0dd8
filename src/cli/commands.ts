// Every command of pimlet, in the order of the help.
import { backupCommand } from './backup-command.ts'
import { bulkCommand, undoCommand } from './bulk.ts'
import type { Command } from './command.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor-command.ts'
import { exportCommand } from './export.ts'
import { addFilesCommand } from './add-files.ts'
import { importCommand } from './import.ts'
import { createKeyCommand } from './key.ts'
import { migrateCommand } from './migrate-command.ts'
import { openapiCommand } from './openapi.ts'
import { restoreCommand } from './restore-command.ts'
import { serveCommand } from './serve.ts'
import { setPasswordCommand } from './user.ts'

export const COMMANDS: readonly Command[] = [
  serveCommand,
  importCommand,
  exportCommand,
  addFilesCommand,
  bulkCommand,
  undoCommand,
  backupCommand,
  restoreCommand,
  migrateCommand,
  doctorCommand,
  createKeyCommand,
  setPasswordCommand,
  openapiCommand,
  demoCommand,
]
