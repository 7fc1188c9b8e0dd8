// For me: notices, my work, and the work that I gave. Contract 5 §3.
import { PlaceHead } from '../kit/place-head.tsx'
import { type Tab, Tabs } from '../kit/tabs.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { NoticeList } from './notice-list.tsx'
import { WorkList } from './work-list.tsx'

const TABS = ['notices', 'mine', 'given'] as const

export function ForMe() {
  const { router, live, model } = useConsole()
  const { tab } = router.query.value
  const open = TABS.find((name) => name === tab) ?? 'notices'
  const unread = live.unread.value
  const tabs = TABS.filter((name) => name !== 'given' || model.may('assignments.write')).map((name): Tab => {
    const shown = { id: name, title: t(`forMe.${name}`) }
    return name === 'notices' && unread > 0 ? { ...shown, count: unread } : shown
  })
  return (
    <>
      <PlaceHead title={t('place.forMe')} />
      <div class="page for-me">
        <Tabs
          label={t('place.forMe')}
          tabs={tabs}
          open={open}
          onOpen={(name) => router.setQuery({ tab: name === 'notices' ? undefined : name }, { isStep: true })}
        >
          {open === 'notices' ? <NoticeList /> : <WorkList key={open} kind={open} />}
        </Tabs>
      </div>
    </>
  )
}
