// The table of all routes: what is served, documented and tested.
import type { Route } from './route.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { authRoutes } from './routes/auth.ts'
import { healthRoutes } from './routes/health.ts'
import { meRoutes } from './routes/me.ts'
import { roleRoutes } from './routes/roles.ts'
import { userRoutes } from './routes/users.ts'

export const apiRoutes: readonly Route[] = [
  ...healthRoutes,
  ...authRoutes,
  ...meRoutes,
  ...userRoutes,
  ...apiKeyRoutes,
  ...roleRoutes,
]
