// Forwards data from the database a millisecond later, together with everything that has arrived by then.
import { createConnection, createServer } from 'node:net'
import path from 'node:path'

const SOCKET = '.s.PGSQL.5432'
const MILLISECONDS = 1

const [, , database, directory] = process.argv
const server = createServer((client) => {
  const behind = createConnection(path.join(database!, SOCKET))
  const end = (): void => {
    client.destroy()
    behind.destroy()
  }
  for (const socket of [client, behind]) socket.on('error', end).on('close', end)
  let held: Buffer[] = []
  behind.on('data', (data) => {
    if (held.push(data) > 1) return
    setTimeout(() => {
      client.write(Buffer.concat(held))
      held = []
    }, MILLISECONDS)
  })
  client.pipe(behind)
})
server.listen(path.join(directory!, SOCKET), () => process.send!('listening'))
process.on('disconnect', () => process.exit(0))
