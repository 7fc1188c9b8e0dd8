// The places of the console: one entry each, loaded on first use. Places that the role may never use are not in the
// bar; a link to such a place shows the missing permission.
import type { ComponentType } from 'preact'
import type { Permission } from '../../src/core/accounts/rules/permissions.ts'
import type { IconName } from '../kit/icons.ts'
import type { StartWord } from '../words/words.ts'

export interface Place {
  /** The path below `/console/`: `records`, or `records/:id`. Home is ''. */
  readonly path: string
  readonly title: PlaceTitle
  /** The group in the bar: the work, or the lower group. */
  readonly bar?: 'work' | 'below'
  readonly icon?: IconName
  /** The key, which the command line also shows. */
  readonly keys?: string
  readonly needs?: Permission
  readonly load: () => Promise<ComponentType>
}

/** Words without placeholders. */
type PlaceTitle = Extract<StartWord, `place.${string}`> & Exclude<StartWord, 'place.loading'>

/** In the order of the bar. */
export const PLACES: readonly Place[] = [
  {
    path: '',
    title: 'place.home',
    bar: 'work',
    icon: 'home',
    keys: 'g h',
    load: async () => (await import('../home/home.tsx')).Home,
  },
  {
    path: 'records',
    title: 'place.records',
    bar: 'work',
    icon: 'records',
    keys: 'g r',
    needs: 'records.read',
    load: async () => (await import('../records/place.tsx')).Records,
  },
  {
    path: 'records/:id',
    title: 'place.records',
    needs: 'records.read',
    load: async () => (await import('../record/record-page.tsx')).RecordPage,
  },
  {
    path: 'views/:id',
    title: 'place.records',
    needs: 'records.read',
    load: async () => (await import('../records/view-place.tsx')).ViewPlace,
  },
  {
    path: 'categories',
    title: 'place.categories',
    bar: 'work',
    icon: 'categories',
    keys: 'g c',
    needs: 'model.read',
    load: async () => (await import('../categories/catalogs.tsx')).Catalogs,
  },
  {
    path: 'categories/:id',
    title: 'place.categories',
    needs: 'model.read',
    load: async () => (await import('../categories/catalog.tsx')).Catalog,
  },
  {
    path: 'exports',
    title: 'place.exports',
    bar: 'work',
    icon: 'exports',
    keys: 'g e',
    needs: 'exportJobs.read',
    load: async () => (await import('../exports/exports.tsx')).Exports,
  },
  {
    path: 'exports/:id',
    title: 'place.exports',
    needs: 'exportJobs.read',
    load: async () => (await import('../exports/job-page.tsx')).ExportJobPage,
  },
  {
    path: 'sheets',
    title: 'place.sheets',
    needs: 'records.read',
    load: async () => (await import('../sheets/sheets.tsx')).Sheets,
  },
  {
    path: 'sheets/:id',
    title: 'place.sheets',
    needs: 'exportJobs.write',
    load: async () => (await import('../sheets/template-page.tsx')).TemplatePage,
  },
  {
    path: 'subscriptions',
    title: 'place.subscriptions',
    keys: 'g s',
    needs: 'subscriptions.write',
    load: async () => (await import('../events/subscriptions.tsx')).Subscriptions,
  },
  {
    path: 'subscriptions/:id',
    title: 'place.subscriptions',
    needs: 'subscriptions.write',
    load: async () => (await import('../events/subscription-page.tsx')).SubscriptionPage,
  },
  {
    path: 'imports',
    title: 'place.imports',
    bar: 'work',
    icon: 'imports',
    keys: 'g i',
    needs: 'records.create',
    load: async () => (await import('../imports/imports.tsx')).Imports,
  },
  {
    path: 'imports/:id',
    title: 'place.imports',
    needs: 'records.create',
    load: async () => (await import('../imports/import-page.tsx')).ImportPage,
  },
  {
    path: 'bulk/:id',
    title: 'place.bulk',
    load: async () => (await import('../bulk/job-page.tsx')).BulkJobPage,
  },
  {
    path: 'start',
    title: 'place.model',
    needs: 'model.write',
    load: async () => (await import('../imports/start-page.tsx')).StartPage,
  },
  {
    path: 'schemas',
    title: 'place.model',
    bar: 'work',
    icon: 'model',
    keys: 'g m',
    needs: 'model.read',
    load: async () => (await import('../model/schemas.tsx')).Schemas,
  },
  {
    path: 'schemas/:id',
    title: 'place.model',
    needs: 'model.read',
    load: async () => (await import('../model/schema-page.tsx')).SchemaPage,
  },
  {
    path: 'dimensions',
    title: 'place.model',
    needs: 'model.read',
    load: async () => (await import('../model/dimensions.tsx')).Dimensions,
  },
  {
    path: 'workflows',
    title: 'place.model',
    needs: 'model.read',
    load: async () => (await import('../model/workflows.tsx')).Workflows,
  },
  {
    path: 'workflows/:id',
    title: 'place.model',
    needs: 'model.read',
    load: async () => (await import('../model/workflow-page.tsx')).WorkflowPage,
  },
  {
    path: 'for-me',
    title: 'place.forMe',
    bar: 'below',
    icon: 'bell',
    keys: 'g f',
    load: async () => (await import('../talk/for-me.tsx')).ForMe,
  },
  {
    path: 'activity',
    title: 'place.activity',
    bar: 'below',
    icon: 'activity',
    keys: 'g t',
    needs: 'records.read',
    load: async () => (await import('../activity/activity.tsx')).Activity,
  },
  {
    path: 'users',
    title: 'place.people',
    bar: 'below',
    icon: 'people',
    keys: 'g p',
    needs: 'users.manage',
    load: async () => (await import('../people/users.tsx')).Users,
  },
  {
    path: 'roles',
    title: 'place.people',
    needs: 'users.manage',
    load: async () => (await import('../people/roles.tsx')).Roles,
  },
  {
    path: 'roles/:id',
    title: 'place.people',
    needs: 'users.manage',
    load: async () => (await import('../people/role-page.tsx')).RolePage,
  },
  {
    path: 'messenger',
    title: 'place.people',
    needs: 'users.manage',
    load: async () => (await import('../people/messenger.tsx')).Messenger,
  },
  {
    path: 'keys',
    title: 'place.people',
    needs: 'users.manage',
    load: async () => (await import('../people/keys.tsx')).ApiKeys,
  },
  {
    path: 'account',
    title: 'place.account',
    bar: 'below',
    icon: 'account',
    keys: 'g a',
    load: async () => (await import('../account/account.tsx')).Account,
  },
]

export function findPlace(place: string, id: string | null, places = PLACES): Place | undefined {
  const path = id === null ? place : `${place}/:id`
  return places.find((known) => known.path === path)
}
