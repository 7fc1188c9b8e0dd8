// One server for several suites of a file that run at the same time.

interface Closing {
  close(): Promise<void>
}

/** Wraps `start` to return a running server again. The server closes when all its users have closed it. */
export function shareServer<Server extends Closing>(start: () => Promise<Server>): () => Promise<Server> {
  let shared: Promise<Server> | undefined
  let users = 0
  return async () => {
    users += 1
    const server = await (shared ??= start())
    const close = async (): Promise<void> => {
      users -= 1
      if (users > 0) return
      shared = undefined
      await server.close()
    }
    return { ...server, close }
  }
}
