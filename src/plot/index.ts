/** `cvkit/plot`: pictures as SVG strings. */
export { type PlotSplitsOptions, plotSplits } from './plotSplits.js';
