import { oneOf } from '../core/options.js';

/** What `y` is, where its values do not say it. */
export const task = () => oneOf('binary', 'multiclass', 'multilabel', 'regression', 'classification').optional();
