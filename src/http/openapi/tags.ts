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
    name: 'Bulk jobs',
    description: 'Changes of many records in the background, and undoing them.',
    resources: ['bulkJobs'],
  },
  {
    name: 'Imports',
    description: 'Files of records, and what their columns mean.',
    resources: ['imports', 'importProfiles'],
  },
  { name: 'Search', description: 'Records by criteria, and by text.', resources: ['search'] },
  { name: 'Saved queries', description: 'Searches under a name.', resources: ['savedQueries'] },
  { name: 'Schemas', description: 'Which attributes records of one kind have.', resources: ['schemas'] },
  { name: 'Dimensions', description: 'What values are scoped by: language, market, …', resources: ['dimensions'] },
  { name: 'Workflows', description: 'Lifecycle states, and the transitions between them.', resources: ['workflows'] },
  {
    name: 'Catalogs',
    description: 'Trees of categories that records are assigned to.',
    resources: ['catalogs', 'categories'],
  },
  {
    name: 'Export jobs',
    description: 'What is exported where, and when. These paths answer without `/api/v1` as well.',
    resources: ['exportJobs'],
  },
  {
    name: 'Export runs',
    description: 'What became of each export. These paths answer without `/api/v1` as well.',
    resources: ['exportRuns'],
  },
  {
    name: 'Subscriptions',
    description: 'Other systems that are told of what happens.',
    resources: ['subscriptions'],
  },
  { name: 'Sign in', description: 'Access tokens, and who one is.', resources: ['auth', 'me'] },
  { name: 'Users', description: 'People who may sign in.', resources: ['users', 'people'] },
  { name: 'API keys', description: 'Credentials of programs.', resources: ['apiKeys'] },
  { name: 'Roles', description: 'What a user or key may do, down to single attributes.', resources: ['roles'] },
  {
    name: 'Service',
    description: 'The server itself.',
    resources: ['health', 'metrics', 'openapi', 'docs', 'console', 'service'],
  },
]

/** Of a route's documentation, by its id: `exportJobs.list`. */
export function tagOf(routeId: string): string {
  const resource = routeId.split('.', 1)[0]!
  return TAGS.find(({ resources }) => resources.includes(resource))?.name ?? resource
}

export function listTags(): { name: string; description: string }[] {
  return TAGS.map(({ name, description }) => ({ name, description }))
}
