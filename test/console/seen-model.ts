// A small model as `/me/model` answers it, and the asking user.
import type { Endpoints } from '../../console/api/types.ts'

type SeenModel = Endpoints['GET /api/v1/me/model']['reply']

const attribute = (alias: string, given: object) =>
  ({
    alias,
    name: alias,
    description: '',
    dataType: 'text',
    dimensionIds: [],
    unique: false,
    requiredInStateIds: [],
    guard: null,
    validation: {},
    options: [],
    units: [],
    currencies: [],
    ...given,
  }) as SeenModel['schemas'][number]['attributes'][number]

const AT = '2026-03-02T09:00:00.000Z'

export const ME: Endpoints['GET /api/v1/me']['reply'] = {
  id: 'usr-anna',
  kind: 'user',
  name: 'Anna',
  roleId: 'role-editor',
  permissions: ['records.read', 'records.update'],
  defaultAttributePermission: 'write',
  attributePermissions: {},
  workspace: { name: 'Tea shop', maxRecords: 500 },
}

export const SEEN_MODEL: SeenModel = {
  dimensions: [
    {
      id: 'language',
      name: 'Language',
      segments: [
        { id: 'en', name: 'English' },
        { id: 'de', name: 'Deutsch' },
      ],
    },
    {
      id: 'market',
      name: 'Market',
      segments: [
        { id: 'eu', name: 'Europe' },
        { id: 'us', name: 'United States' },
      ],
    },
  ],
  workflows: [
    {
      id: 'wf-tea',
      name: 'Tea',
      initialStateId: 'draft',
      states: [
        { id: 'draft', name: 'Draft' },
        { id: 'review', name: 'Review' },
        { id: 'sold', name: 'Sold' },
      ],
      transitions: [
        {
          id: 'submit',
          fromStateId: 'draft',
          toStateId: 'review',
          name: 'Submit',
          allowedRoleIds: ['role-editor'],
          requiresCompleteness: false,
        },
        {
          id: 'sell',
          fromStateId: 'review',
          toStateId: 'sold',
          name: 'Sell',
          allowedRoleIds: ['role-editor', 'role-admin'],
          requiresCompleteness: true,
        },
        {
          id: 'back',
          fromStateId: 'sold',
          toStateId: 'draft',
          name: 'Withdraw',
          allowedRoleIds: ['role-editor'],
          requiresCompleteness: false,
        },
      ],
    },
  ],
  schemas: [
    {
      id: 'sch-tea',
      name: 'Tea',
      names: { de: 'Tee' },
      workflowId: 'wf-tea',
      combinations: null,
      attributes: [
        attribute('sku', { unique: true }),
        attribute('name', { dimensionIds: ['language'], requiredInStateIds: ['sold'] }),
        attribute('price', { dataType: 'price', dimensionIds: ['market'] }),
      ],
      createdAt: AT,
      updatedAt: AT,
    },
  ],
  catalogs: [],
}
