// Names of categories, loaded on first use.
import { useConsole, useQuery } from '../state/context.ts'

interface CategoryNames {
  /** The ID, if the name is unknown. */
  readonly nameOf: (id: string) => string
}

/** @param isAsked false: no names are needed yet */
export function useCategories(isAsked: boolean): CategoryNames {
  const { call, model } = useConsole()
  const catalogs = (isAsked && model.workspace.value?.catalogs) || []
  const key = `category-names ${catalogs.map(({ id }) => id).join()}`
  const read = useQuery(key, async (signal) => {
    const trees = await Promise.all(
      catalogs.map(
        async ({ id }) => (await call('GET /api/v1/catalogs/:id/categories', { params: { id }, signal })).body,
      ),
    )
    return new Map(trees.flat().map((category) => [category.id, category]))
  })
  return {
    nameOf: (id) => {
      const category = read.data.value?.get(id)
      return category === undefined ? id : model.nameOf(category)
    },
  }
}
