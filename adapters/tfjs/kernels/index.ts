/** `cvkit/adapters/tfjs/kernels`: gradients and kernels that tfjs (4.22) lacks or has wrong. Works with tfjs alone. */
export { completeGradients } from './completeGradients.js';
export { completeWasm } from './completeWasm.js';
export { correctCpu } from './correctCpu.js';
export { repairLayers } from './repairLayers.js';
export { repairTfjs } from './repairTfjs.js';
