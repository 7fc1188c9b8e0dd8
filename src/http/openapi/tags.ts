// The groups of the documentation, in order: by the first part of a route's id.

interface Tag {
  readonly name: string
  readonly description: string
  /** First parts of the ids of its routes. */
  readonly resources: readonly string[]
}

const TAGS: readonly Tag[] = [
  {
    name: 'Records',
    description: 'Product records, their values by attribute and scope, lifecycle, completeness and audit trail.',
    resources: ['records', 'changes'],
  },
  {
    name: 'Working together',
    description: 'Comments, assignments of records to people, notices, their daily summary, and who is where.',
    resources: ['comments', 'assignments', 'notices', 'messenger', 'presence'],
  },
  {
    name: 'Files',
    description: 'Files and pictures that values name.',
    resources: ['files', 'renditionPresets'],
  },
  {
    name: 'Bulk jobs',
    description: 'Background changes of many records, and undo.',
    resources: ['bulkJobs'],
  },
  {
    name: 'Imports',
    description: 'Files of records, and the meaning of their columns.',
    resources: ['imports', 'importProfiles', 'demo'],
  },
  { name: 'Statistics', description: 'Counts of records by day.', resources: ['statistics'] },
  { name: 'Search', description: 'Find records by criteria and text.', resources: ['search'] },
  { name: 'Saved queries', description: 'Searches with a name.', resources: ['savedQueries'] },
  { name: 'Schemas', description: 'The attributes of the records of one kind.', resources: ['schemas', 'templates'] },
  { name: 'Dimensions', description: 'The dimensions of values: language, market, …', resources: ['dimensions'] },
  { name: 'Workflows', description: 'Lifecycle states, and the transitions between them.', resources: ['workflows'] },
  {
    name: 'Catalogs',
    description: 'Trees of categories that records are assigned to.',
    resources: ['catalogs', 'categories'],
  },
  {
    name: 'Export jobs',
    description: 'What is exported where, and when. These paths also answer without `/api/v1`.',
    resources: ['exportJobs'],
  },
  {
    name: 'Export runs',
    description: 'The runs of export jobs. These paths also answer without `/api/v1`.',
    resources: ['exportRuns'],
  },
  {
    name: 'Subscriptions',
    description: 'Other systems that get events.',
    resources: ['subscriptions'],
  },
  {
    name: 'Product sheets',
    description: 'Printed pages of records, their templates, and links to them.',
    resources: ['sheetTemplates', 'sheetLinks'],
  },
  { name: 'Sign in', description: 'Access tokens, and the current caller.', resources: ['auth', 'me'] },
  { name: 'Users', description: 'People who can sign in.', resources: ['users', 'people'] },
  { name: 'API keys', description: 'Credentials of programs.', resources: ['apiKeys'] },
  {
    name: 'Roles',
    description: 'The permissions of users and API keys, down to single attributes.',
    resources: ['roles'],
  },
  {
    name: 'Service',
    description: 'The server itself.',
    resources: ['health', 'metrics', 'openapi', 'docs', 'console', 'service'],
  },
]

/** The tag of a route, by its id: `exportJobs.list`. */
export function tagOf(routeId: string): string {
  const resource = routeId.split('.', 1)[0]!
  return TAGS.find(({ resources }) => resources.includes(resource))?.name ?? resource
}

export function listTags(): { name: string; description: string }[] {
  return TAGS.map(({ name, description }) => ({ name, description }))
}
