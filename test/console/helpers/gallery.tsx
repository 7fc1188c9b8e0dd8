// Every building block of the kit on one page, in place of the console: `<output>` shows the effects.
import { render } from 'preact'
import { useState } from 'preact/hooks'
import { Button, LinkButton } from '../../../console/kit/button.tsx'
import { Chip, Segmented } from '../../../console/kit/chips.tsx'
import type { Option } from '../../../console/kit/choices.ts'
import { Combobox, MultiCombobox } from '../../../console/kit/combobox.tsx'
import { CopyText } from '../../../console/kit/copy.tsx'
import { Dialog, SidePanel } from '../../../console/kit/dialog.tsx'
import { Checkbox, Field, Select, TextField } from '../../../console/kit/field.tsx'
import { Icon } from '../../../console/kit/icon.tsx'
import { type IconName, ICONS } from '../../../console/kit/icons.ts'
import { MenuButton } from '../../../console/kit/menu.tsx'
import { Empty, ErrorBox, LoadingLine, NoPermission } from '../../../console/kit/states.tsx'
import { StatusList } from '../../../console/kit/status-list.tsx'
import { Tabs } from '../../../console/kit/tabs.tsx'
import { Tree } from '../../../console/kit/tree.tsx'
import { Refusal } from '../../../console/api/failures.ts'
import { makeConsole } from '../../../console/state/console.ts'
import { ConsoleContext } from '../../../console/state/context.ts'
import { realBrowser } from '../../../console/state/real-browser.ts'
import { speak } from '../../../console/words/words.ts'

const OPTIONS: Option[] = [
  { id: 'green', name: 'Green tea' },
  { id: 'black', name: 'Black tea' },
  { id: 'grey', name: 'Earl Grey', detail: 'blend' },
  ...Array.from({ length: 40 }, (_, index) => ({ id: `t${index}`, name: `Tea number ${index}` })),
]
const find = async (text: string) => OPTIONS.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))

const NODES = [
  {
    id: 'tea',
    name: 'Tea',
    children: [
      { id: 'g', name: 'Green', children: [] },
      { id: 'b', name: 'Black', children: [] },
    ],
  },
  { id: 'pots', name: 'Pots', children: [] },
]

function Gallery() {
  const [log, setLog] = useState('')
  return (
    <main class="page">
      <h1>Kit</h1>
      <output>{log}</output>
      <div class="columns">
        <Choices say={setLog} />
        <Moves say={setLog} />
        <States />
      </div>
      <StatusList />
    </main>
  )
}

interface Saying {
  readonly say: (text: string) => void
}

function Choices({ say }: Saying) {
  const [one, setOne] = useState<Option | null>(null)
  const [asked, setAsked] = useState<Option | null>(null)
  const [several, setSeveral] = useState<readonly Option[]>([])
  const [density, setDensity] = useState('normal')
  const [text, setText] = useState('')
  return (
    <section>
      <Field label="One" hint="Type to narrow">
        {(input) => (
          <Combobox
            input={input}
            options={OPTIONS}
            value={one}
            onChange={(value) => {
              setOne(value)
              say(`one: ${value?.id ?? 'none'}`)
            }}
          />
        )}
      </Field>
      <Field label="Asked">
        {(input) => <Combobox input={input} options={find} value={asked} onChange={setAsked} />}
      </Field>
      <Field label="Several">
        {(input) => (
          <MultiCombobox
            input={input}
            options={OPTIONS}
            values={several}
            onChange={(values) => {
              setSeveral(values)
              say(`several: ${values.map(({ id }) => id).join(',')}`)
            }}
          />
        )}
      </Field>
      <TextField label="Text" value={text} onInput={setText} error="This is wrong." isRequired />
      <TextField label="Read only" value="As it is" onInput={setText} isReadOnly />
      <Checkbox label="Check" isChecked={false} onChange={(isChecked) => say(`check: ${isChecked}`)} />
      <Select label="Select" value="black" choices={OPTIONS.slice(0, 3)} onChange={say} />
      <Segmented
        label="Density"
        value={density}
        choices={['tight', 'normal', 'loose'].map((id) => ({ id, name: id }))}
        onChange={setDensity}
      />
      <p class="row">
        <Chip name="state: Draft" onOpen={() => say('chip opened')} onRemove={() => say('chip removed')} />
        <Chip name="Green" />
      </p>
    </section>
  )
}

function Moves({ say }: Saying) {
  const [tab, setTab] = useState('values')
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [selected, setSelected] = useState('tea')
  const [over, setOver] = useState<'dialog' | 'panel' | undefined>(undefined)
  return (
    <section>
      <p class="row">
        <Button kind="main" keys="Ctrl+S">
          Save
        </Button>
        <Button kind="bad">Delete</Button>
        <Button closedBecause="needs Editor" onClick={() => say('closed button clicked')}>
          Closed
        </Button>
        <Button icon="edit" label="Edit" kind="quiet" />
        <LinkButton href="/console/">Link</LinkButton>
        <Button onClick={() => setOver('dialog')}>Dialog</Button>
        <Button onClick={() => setOver('panel')}>Panel</Button>
      </p>
      <MenuButton
        entries={[
          { title: 'Open', icon: 'external', run: () => say('menu: open') },
          { title: 'Copy', run: () => say('menu: copy') },
          { title: 'Publish', closedBecause: 'needs Editor', run: () => say('menu: publish') },
        ]}
      >
        Menu
      </MenuButton>
      <Tabs
        label="Parts"
        open={tab}
        onOpen={setTab}
        tabs={[
          { id: 'values', title: 'Values' },
          { id: 'variants', title: 'Variants', count: 2 },
          { id: 'history', title: 'History' },
        ]}
      >
        <p>Shown: {tab}</p>
      </Tabs>
      <Tree
        label="Categories"
        nodes={NODES}
        open={open}
        selected={selected}
        onSelect={({ id }) => setSelected(id)}
        onToggle={(id, isOpen) => setOpen(new Set(isOpen ? [...open, id] : [...open].filter((other) => other !== id)))}
        aside={() => <span class="quiet">12</span>}
      />
      {over === 'dialog' && (
        <Dialog title="A dialog" onClose={() => setOver(undefined)}>
          <TextField label="In it" value="" onInput={() => undefined} />
        </Dialog>
      )}
      {over === 'panel' && (
        <SidePanel title="A panel" onClose={() => setOver(undefined)}>
          <p>Beside the content</p>
          <Combobox label="In the panel" options={OPTIONS} value={null} onChange={() => undefined} />
        </SidePanel>
      )}
    </section>
  )
}

const refusal = new Refusal({ code: 'CONFLICT', message: 'It is in use', status: 409, requestId: 'req-7' })

function States() {
  return (
    <section>
      <div class="shown">
        <LoadingLine isBusy />
      </div>
      <ErrorBox error={refusal} onRetry={() => undefined} />
      <CopyText text="what is copied">Copy this</CopyText>
      <Empty icon="records" title="Nothing here">
        <p>How to begin.</p>
      </Empty>
      <NoPermission permission="model.write" />
      <p class="row">
        {(Object.keys(ICONS) as IconName[]).map((name) => (
          <Icon key={name} name={name} />
        ))}
      </p>
    </section>
  )
}

await speak('en')
render(
  <ConsoleContext.Provider value={makeConsole(realBrowser)}>
    <Gallery />
  </ConsoleContext.Provider>,
  document.querySelector('#app')!,
)
