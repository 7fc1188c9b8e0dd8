// Endpoints of all exports together: runs of all jobs, destinations, and the preview of a schedule. Contract 3 §5.
import * as v from 'valibot'
import { wholeNumber, Timestamp } from '../../kernel/input/validation.ts'
import { ExportRunShape, RUN_STATUSES } from '../rules/export-run.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { route } from '../../http/route.ts'
import { LimitQuery } from '../../kernel/input/common-shapes.ts'

const MAX_MATCHES = 50

const Text = (max: number) =>
  v.pipe(v.string('must be a string'), v.maxLength(max, `must be at most ${max} characters long`))

export const SchedulePreviewBody = v.object({
  schedule: v.pipe(Text(200), v.description('Cron expression with 5 or 6 fields.')),
  timezone: v.optional(v.pipe(Text(200), v.description('IANA time zone.')), 'UTC'),
  count: v.optional(wholeNumber(1, MAX_MATCHES), 5),
})

export const SchedulePreviewShape = v.object({
  next: v.pipe(v.array(Timestamp), v.description('The next times; fewer if the schedule ends.')),
})

export const ExportDestinationShape = v.object({
  type: v.pipe(v.string(), v.description('The `destinationType` of a job.')),
  title: v.string(),
  configSchema: v.pipe(
    v.record(v.string(), v.unknown()),
    v.description('JSON Schema of `destinationConfig`. For a plugin, only its keys are known.'),
  ),
  secrets: v.pipe(
    v.array(v.string()),
    v.description('Secret settings; `headers.*` means each value of the object `headers`.'),
  ),
  source: v.picklist(['built-in', 'plugin']),
})

const RunsQuery = exactObject({
  ...LimitQuery.entries,
  status: v.optional(v.picklist(RUN_STATUSES, `must be one of ${RUN_STATUSES.join(', ')}`)),
  jobId: v.optional(v.string()),
})

export const exportOverviewRoutes = [
  route({
    id: 'exportRuns.listAll',
    endpoint: 'GET /api/v1/export-runs',
    summary: 'List the runs of all export jobs, newest first',
    description: 'A filter with an unknown name finds nothing.',
    access: 'exportJobs.read',
    query: RunsQuery,
    responses: { 200: v.array(ExportRunShape) },
    handler: ({ caller, query, services }) => services.exportRuns.listAll(caller, query, query.limit),
  }),
  route({
    id: 'exportJobs.destinations',
    endpoint: 'GET /api/v1/export-destinations',
    summary: 'List the installed destinations with their settings',
    access: 'exportJobs.read',
    responses: { 200: v.array(ExportDestinationShape) },
    handler: ({ caller, services }) => services.exportDestinations.list(caller),
  }),
  route({
    id: 'exportJobs.previewSchedule',
    endpoint: 'POST /api/v1/schedules/preview',
    summary: 'List the next matches of a schedule',
    access: 'exportJobs.read',
    body: SchedulePreviewBody,
    responses: { 200: SchedulePreviewShape },
    handler: ({ caller, body, services }) => services.exportJobs.previewSchedule(caller, body),
  }),
]
