// Where the console begins: what index.html loads.
import { render } from 'preact'
import { App } from './shell/app.tsx'
import { makeConsole, startConsole } from './state/console.ts'
import { realBrowser } from './state/real-browser.ts'

const console = makeConsole(realBrowser)
startConsole(console)
render(<App console={console} />, document.querySelector('#app')!)
