// Checks the console's files, which must be present wherever pimlet runs.
import assert from 'node:assert/strict'

/** Checks that the server sends the page and every file that the page names, unpacked by `fetch`. */
export async function assertConsole(url: string): Promise<void> {
  const page = await (await fetch(new URL('/console/', url))).text()
  const files = [...page.matchAll(/="(\/console\/-\/[^"]+)"/g)].flatMap(([, addresses]) => addresses!.split(' '))
  assert.ok(files.length >= 3, page)
  for (const file of files) {
    const answer = await fetch(new URL(file, url))
    assert.equal(answer.status, 200, file)
    const text = await answer.text()
    assert.ok(text.length > 100 && !text.includes('\0'), file)
  }
}
