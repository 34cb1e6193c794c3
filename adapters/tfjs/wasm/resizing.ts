/** Gradients of resized images that know of half-pixel centers, which those of the wasm backend (4.22) ignore. */
import { bilinearGradient, nearestGradient } from '../resizing.js';
import type { Tf } from '../structures.js';
import { installWasmKernel } from './compose.js';

/** Installs those of nearest-neighbour and bilinear resizing. */
export function installResizing(tf: Tf): void {
  for (const [name, gradient] of [
    ['ResizeNearestNeighborGrad', nearestGradient],
    ['ResizeBilinearGrad', bilinearGradient],
  ] as const) {
    installWasmKernel(tf, name, (composer, { inputs: { images, dy }, attrs }) => {
      const dx = composer.zeros(images.shape);
      const { alignCorners, halfPixelCenters } = attrs;
      const resizing = { from: images.shape, to: dy.shape, alignCorners, halfPixelCenters, rounded: Math.fround };
      gradient(resizing, composer.values(dy), composer.values(dx));
      return dx;
    });
  }
}
