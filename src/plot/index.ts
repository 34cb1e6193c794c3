/** `cvkit/plot`: pictures as SVG strings. */

export { type PlotRocOptions, plotRoc } from './plotRoc.js';
export { type PlotSplitsOptions, plotSplits } from './plotSplits.js';
export { type PlotTable, Svg } from './svg.js';
