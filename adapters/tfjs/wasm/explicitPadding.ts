/**
 * Convolutions with padding 'same' as the same ones with explicit padding. The wasm backend (4.22) pads 'same' itself
 * and misplaces the windows where strides are larger than the filter.
 */
import type { Tf } from '../structures.js';
import { installWasmKernel } from './compose.js';

const KERNELS = [
  { name: 'Conv2D', depthwise: false },
  { name: 'FusedConv2D', depthwise: false },
  { name: 'DepthwiseConv2dNative', depthwise: true },
  { name: 'FusedDepthwiseConv2D', depthwise: true },
];

/** Makes the 2-D convolutions pad explicitly. */
export function installExplicitPadding(tf: Tf): void {
  for (const { name, depthwise } of KERNELS) {
    installWasmKernel(tf, name, (_, { inputs, attrs, original }) => {
      const [x, filter] = [inputs.x.shape, inputs.filter.shape] as [number, number, number, number][];
      const { strides, dilations, pad, dimRoundingMode } = attrs;
      if (pad !== 'same') return original();
      const { padInfo } = tf.backend_util.computeConv2DInfo(
        x,
        filter,
        strides,
        dilations ?? 1,
        pad,
        dimRoundingMode,
        depthwise,
      );
      const { top, bottom, left, right } = padInfo;
      return original({
        pad: [
          [0, 0],
          [top, bottom],
          [left, right],
          [0, 0],
        ],
      });
    });
  }
}
