// Sign-out in all tabs: drafts stay in this browser, or are deleted.
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/words.ts'

export function SignOutDialog({ onClose }: { readonly onClose: () => void }) {
  const { session, drafts } = useConsole()
  const count = drafts.list().length
  return (
    <Dialog title={t('signOut.action')} onClose={onClose}>
      {count > 0 && <p>{t('signOut.drafts', { count })}</p>}
      <div class="row end">
        {count > 0 && (
          <Button
            kind="bad"
            onClick={() => {
              drafts.dropAll()
              void session.signOut()
            }}
          >
            {t('signOut.drop')}
          </Button>
        )}
        <Button kind="main" onClick={() => void session.signOut()}>
          {count > 0 ? t('signOut.keep') : t('signOut.action')}
        </Button>
      </div>
    </Dialog>
  )
}
