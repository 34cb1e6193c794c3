/**
 * The conformance suites as `{ name, run() }[]`, bound to no test runner: what every splitter, metric, adapter, check
 * and callback must do, ours and yours.
 *
 * @example
 * for (const { name, run } of splitterSuite({ name: 'MySplitter', create: () => new MySplitter() })) test(name, run);
 */
export { type AdapterUnderTest, adapterSuite } from './adapterSuite.js';
export { type CallbackUnderTest, callbackSuite } from './callbackSuite.js';
export { type CheckScene, type CheckUnderTest, checkSuite } from './checkSuite.js';
export { type MetricSuiteOptions, metricSuite } from './metricSuite.js';
export { type SplitterUnderTest, splitterSuite } from './splitterSuite.js';
export type { ConformanceCase } from './suite.js';
