/**
 * What the folds stand for. `iid`: test rows are drawn like training rows. `prospective`: they come later in time.
 * `deployment`: they come from elsewhere (other sites, scanners, regions), so that shift is expected.
 */
export const DESIGNS = ['iid', 'prospective', 'deployment'] as const;
export type Design = (typeof DESIGNS)[number];
