// The entry of the console: `ahead.ts` loads this file, with everything that places share (`scripts/build/chunks.ts`).
import { render } from 'preact'
import { App } from './shell/app.tsx'
import { loadAhead } from './shell/lazy-place.tsx'
import { makeConsole, startConsole } from './state/console.ts'
import { realBrowser } from './state/real-browser.ts'
import { hasWords, spoken } from './words/words.ts'

const console = makeConsole(realBrowser)
startConsole(console)
loadAhead(console)
// Without words, nothing can be shown: `ahead.ts` reports the failure.
void spoken().then(() => {
  if (hasWords()) render(<App console={console} />, document.querySelector('#app')!)
})
