// Where the console begins: what index.html loads.
import { render } from 'preact'

render(<h1>pimlet</h1>, document.querySelector('#app')!)
