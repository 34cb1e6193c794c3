import convolution from './convolution.mjs';

/** The same network with another rate of dropout. */
export default ({ rate }, ctx) => {
  const model = convolution(ctx);
  model.layers[2].rate = rate;
  return model;
};
