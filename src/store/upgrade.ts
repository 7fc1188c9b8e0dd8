// Messages for the operator while a newer pimlet upgrades the tables of a workspace. Contract 2 §8.

export function describeUpgrade(found: number, newest: number): string {
  return `upgrading the database from version ${found} to version ${newest}: do not stop the server meanwhile`
}

/** @param begin milliseconds of `performance.now()` */
export function describeUpgraded(begin: number): string {
  return `the database is upgraded: it took ${((performance.now() - begin) / 1000).toFixed(1)} s`
}
