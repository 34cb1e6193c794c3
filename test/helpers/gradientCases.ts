/** The models of the gradient audit: every layer type of tfjs-layers 4.22 with the settings that change its kernels. */
import type { AuditCase, AuditInput } from './gradientAudit.js';
import { tf } from './tfjsModels.js';

const { layers: l } = tf;

type Applied = { apply(inputs: unknown): unknown };

/** A model of one layer. */
function one(
  name: string,
  input: number[] | AuditInput,
  layer: () => Applied,
  more: Partial<AuditCase> = {},
): AuditCase {
  const given = Array.isArray(input) ? { shape: input } : input;
  return { name, inputs: [given], connect: ([x]) => layer().apply(x) as tf.SymbolicTensor, ...more };
}

type Weights = Readonly<Record<string, tf.Tensor>>;

/** A layer said in plain operations, to be the truth of another with the same weights. */
class Plain extends tf.layers.Layer {
  static readonly className = 'Plain';

  constructor(
    private readonly shapes: Readonly<Record<string, number[]>>,
    private readonly formula: (x: tf.Tensor, weights: Weights, training: boolean) => tf.Tensor,
    trainable = true,
  ) {
    super({ trainable });
  }

  override build(): void {
    for (const [name, shape] of Object.entries(this.shapes)) {
      this.addWeight(name, shape, 'float32', tf.initializers.zeros(), undefined, !name.startsWith('moving'));
    }
    this.built = true;
  }

  override call(inputs: tf.Tensor | tf.Tensor[], { training }: { training?: boolean }): tf.Tensor {
    const named = this.weights.map((weight) => [weight.originalName.split('/').at(-1), weight.read()]);
    return tf.tidy(() => this.formula([inputs].flat()[0], Object.fromEntries(named), training === true));
  }
}

/** A layer that merges inputs of equal shape. */
const pair = [2, 3];
const merge = (name: string, layer: () => Applied, shapes: number[][] = [pair, pair]): AuditCase => ({
  name,
  inputs: shapes.map((shape) => ({ shape })),
  connect: (inputs) => layer().apply(inputs) as tf.SymbolicTensor,
});

const row = [5];
const series = [7, 2];
const image = [5, 6, 2];
const volume = [3, 4, 3, 2];
const words: AuditInput = { shape: [4], kind: 'indices', data: true };
const padded: AuditInput = { shape: [5, 2], kind: 'padded', data: true };

const PADDINGS = ['same', 'valid'] as const;
const SIZES = [
  { kernelSize: 1, strides: 1 },
  { kernelSize: 3, strides: 1 },
  { kernelSize: 2, strides: 2 },
  { kernelSize: 3, strides: 2 },
];
const LEAPS = [
  { kernelSize: 1, strides: 2 },
  { kernelSize: 2, strides: 3 },
];

const show = (settings: object) =>
  Object.entries(settings)
    .map(([key, value]) => `${key} ${value}`)
    .join(', ');

const channelsFirst = (shape: number[]) => [shape.at(-1) as number, ...shape.slice(0, -1)];

/** Windows with another size along every axis, and with strides that differ. */
const uneven = ({ length }: number[]) =>
  (length > 2 ? PADDINGS : []).flatMap((padding) =>
    [
      [1, 1, 1],
      [2, 1, 1],
    ].map((strides) => ({
      kernelSize: [3, 2, 1].slice(0, length - 1),
      strides: strides.slice(0, length - 1),
      padding,
    })),
  );

type Convolution = Omit<Parameters<typeof l.conv2d>[0], 'filters'>;

/** A convolution over kernel sizes, strides and paddings, and with its other settings. */
function convolutions(name: string, shape: number[], layer: (args: Convolution) => Applied): AuditCase[] {
  return [
    ...PADDINGS.flatMap((padding) =>
      SIZES.map((size) => one(`${name} ${show({ ...size, padding })}`, shape, () => layer({ ...size, padding }))),
    ),
    one(`${name} without bias, with tanh`, shape, () => layer({ kernelSize: 2, useBias: false, activation: 'tanh' })),
    one(`${name} with relu`, shape, () => layer({ kernelSize: 2, activation: 'relu' })),
    ...uneven(shape).map((size) => one(`${name} ${show(size)}`, shape, () => layer(size as Convolution))),
    ...(shape.length > 2
      ? [
          one(`${name} of channels first`, channelsFirst(shape), () =>
            layer({ kernelSize: 2, dataFormat: 'channelsFirst' }),
          ),
        ]
      : []),
  ];
}

/**
 * Strides larger than the kernel, over lengths that padding 'same' leaves as they are: out = ceil(n / stride) windows
 * need (out - 1) * stride + kernel < n numbers. So 'same' is 'valid' there, which is the reference.
 */
function leaps(name: string, shape: number[], layer: (args: Convolution) => Applied): AuditCase[] {
  return LEAPS.flatMap((size) => {
    const lengths = shape.map((n, axis) => (axis === shape.length - 1 ? n : n * size.strides));
    const by = (padding: 'same' | 'valid') => (x: tf.SymbolicTensor[]) =>
      layer({ ...size, padding }).apply(x) as tf.SymbolicTensor;
    const inputs = [{ shape: lengths }];
    return [
      { name: `${name} that leaps, ${show(size)}, same`, inputs, connect: by('same'), truth: by('valid') },
      { name: `${name} that leaps, ${show(size)}, valid`, inputs, connect: by('valid') },
    ];
  });
}

const dilated = (name: string, shape: number[], layer: (args: Convolution) => Applied): AuditCase[] =>
  PADDINGS.map((padding) =>
    one(`${name} dilated, ${padding}`, shape, () => layer({ kernelSize: 2, dilationRate: 2, padding })),
  );

const conv1d = (args: Convolution) => l.conv1d({ filters: 2, ...args });
const conv2d = (args: Convolution) => l.conv2d({ filters: 3, ...args });
const depthwiseConv2d = (args: Convolution) => l.depthwiseConv2d({ depthMultiplier: 2, ...args } as never);
const separableConv2d = (args: Convolution) => l.separableConv2d({ filters: 2, ...args });
const conv3d = (args: Convolution) => l.conv3d({ filters: 2, ...args } as never);

/** Convolution, bias and activation of a dilated layer are one operation in 2-D, so that each of them counts. */
const DILATED_2D: AuditCase[] = [
  ...(['linear', 'relu', 'elu', 'softmax'] as const).flatMap((activation) =>
    PADDINGS.flatMap((padding) => {
      const args = { kernelSize: 2, dilationRate: 2, padding, activation };
      const name = `conv2d dilated, ${padding}, ${activation}`;
      return [
        one(name, image, () => conv2d(args)),
        one(`${name}, channels first`, channelsFirst(image), () => conv2d({ ...args, dataFormat: 'channelsFirst' })),
      ];
    }),
  ),
  one('conv2d dilated unevenly, without bias', image, () =>
    conv2d({ kernelSize: [3, 2], dilationRate: [1, 3], useBias: false, padding: 'same' }),
  ),
  one('conv2d dilated, frozen', image, () => conv2d({ kernelSize: 2, dilationRate: 2, trainable: false })),
  one('conv2d dilated, in prediction', image, () => conv2d({ kernelSize: 2, dilationRate: 2 }), { training: false }),
  one('conv2d dilated in timeDistributed', [2, 4, 4, 1], () =>
    l.timeDistributed({ layer: conv2d({ kernelSize: 2, dilationRate: 2, activation: 'relu' }) as tf.layers.Layer }),
  ),
  one('conv2d dilated in a model inside', [4, 4, 1], () =>
    tf.sequential({ layers: [l.conv2d({ filters: 2, kernelSize: 2, dilationRate: 2, inputShape: [4, 4, 1] })] }),
  ),
];

/** What the words say: a dilation of 2 in every window. */
const dilatedDepthwise = (padding: 'same' | 'valid') =>
  new Plain({ kernel: [2, 2, 2, 2], bias: [4] }, (x, { kernel, bias }) =>
    tf.depthwiseConv2d(x as tf.Tensor4D, kernel as tf.Tensor4D, 1, padding, 'NHWC', 2).add(bias),
  );

const CONVOLUTIONS: AuditCase[] = [
  ...convolutions('conv1d', series, conv1d),
  ...convolutions('conv2d', image, conv2d),
  ...convolutions('depthwiseConv2d', image, depthwiseConv2d),
  ...convolutions('separableConv2d', image, separableConv2d),
  ...convolutions('conv3d', volume, conv3d),
  ...convolutions('conv2dTranspose', [3, 4, 2], (args) => l.conv2dTranspose({ filters: 2, ...args })),
  ...convolutions('conv3dTranspose', [2, 2, 3, 2], (args) => l.conv3dTranspose({ filters: 2, ...args } as never)),
  ...leaps('conv1d', [3, 2], conv1d),
  ...leaps('conv2d', [2, 3, 2], conv2d),
  ...leaps('depthwiseConv2d', [2, 3, 2], depthwiseConv2d),
  ...leaps('separableConv2d', [2, 3, 2], separableConv2d),
  ...leaps('conv3d', [1, 2, 2, 1], conv3d),
  ...leaps('conv3dTranspose', [1, 1, 1, 1], (args) => l.conv3dTranspose({ filters: 2, ...args } as never)),
  ...dilated('conv1d', series, conv1d),
  ...DILATED_2D,
  ...dilated('depthwiseConv2d', image, depthwiseConv2d).map((each, at) => ({
    ...each,
    truth: ([x]: tf.SymbolicTensor[]) => dilatedDepthwise(PADDINGS[at]).apply(x) as tf.SymbolicTensor,
  })),
  ...dilated('separableConv2d', image, separableConv2d),
  ...dilated('conv3d', volume, conv3d),
  one('conv1d dilated with strides', series, () => conv1d({ kernelSize: 2, dilationRate: 2, strides: 2 })),
  one('conv2d dilated with strides', image, () => conv2d({ kernelSize: 2, dilationRate: 2, strides: 2 })),
  one('conv3d dilated with strides', volume, () => conv3d({ kernelSize: 2, dilationRate: 2, strides: 2 })),
  ...[1, 2].map((kernel) =>
    one(`conv2d that leaps and pads, kernel ${kernel}`, image, () =>
      conv2d({ kernelSize: kernel, strides: 3, padding: 'same' }),
    ),
  ),
  one('conv2d of uneven kernel and strides', image, () =>
    conv2d({ kernelSize: [3, 2], strides: [1, 2], padding: 'same' }),
  ),
  one('conv2dTranspose with strides larger than its kernel', [2, 3, 2], () =>
    l.conv2dTranspose({ filters: 2, kernelSize: 2, strides: 3, padding: 'same' }),
  ),
];

type Pooling = Parameters<typeof l.maxPooling2d>[0];

/** A pooling layer over windows, strides and paddings, of numbers below 0, which a maximum that starts from 0 loses. */
const poolings = (name: string, shape: number[], layer: (args: Pooling) => Applied): AuditCase[] => [
  ...PADDINGS.flatMap((padding) =>
    [
      { poolSize: 2, strides: 2 },
      { poolSize: 3, strides: 1 },
      { poolSize: 3, strides: 2 },
    ].map((size) =>
      one(`${name} ${show({ ...size, padding })}`, { shape, kind: 'negative' }, () =>
        layer({ ...size, padding } as Pooling),
      ),
    ),
  ),
  ...uneven(shape).map(({ kernelSize, ...rest }) =>
    one(`${name} ${show({ poolSize: kernelSize, ...rest })}`, { shape, kind: 'negative' }, () =>
      layer({ poolSize: kernelSize, ...rest } as Pooling),
    ),
  ),
  ...leaps(
    name,
    shape.map((n, axis) => (axis === shape.length - 1 ? n : 2)),
    ({ kernelSize, strides, padding }) => layer({ poolSize: kernelSize, strides, padding } as Pooling),
  ),
  ...(shape.length > 2
    ? [
        one(`${name} of channels first`, channelsFirst(shape), () =>
          layer({ poolSize: 2, strides: 1, dataFormat: 'channelsFirst' } as Pooling),
        ),
      ]
    : []),
];

const POOLINGS: AuditCase[] = [
  ...poolings('maxPooling1d', series, (args) => l.maxPooling1d(args as never)),
  ...poolings('averagePooling1d', series, (args) => l.averagePooling1d(args as never)),
  ...poolings('maxPooling2d', image, (args) => l.maxPooling2d(args)),
  ...poolings('averagePooling2d', image, (args) => l.averagePooling2d(args)),
  ...poolings('maxPooling3d', [3, 4, 3, 1], (args) => l.maxPooling3d(args as never)),
  ...poolings('averagePooling3d', [3, 4, 3, 1], (args) => l.averagePooling3d(args as never)),
  one('globalMaxPooling1d', series, () => l.globalMaxPooling1d({})),
  one('globalAveragePooling1d', series, () => l.globalAveragePooling1d({})),
  one('globalMaxPooling2d', image, () => l.globalMaxPooling2d({})),
  one('globalAveragePooling2d', image, () => l.globalAveragePooling2d({})),
  one('globalMaxPooling2d of channels first', image, () => l.globalMaxPooling2d({ dataFormat: 'channelsFirst' })),
];

const RECURRENT: AuditCase[] = (['simpleRNN', 'gru', 'lstm'] as const).flatMap((name) => {
  const layer = (args: object = {}) => l[name]({ units: 2, ...args } as never) as unknown as Applied;
  return [
    one(name, series, () => layer()),
    one(`${name} with all its outputs and states`, series, () => layer({ returnSequences: true, returnState: true })),
    one(`${name} backwards, relu, without bias`, series, () =>
      layer({ goBackwards: true, activation: 'relu', useBias: false }),
    ),
    one(`${name} with hardSigmoid`, series, () => layer({ recurrentActivation: 'hardSigmoid' })),
    one(`${name} with dropout`, series, () => layer({ dropout: 0.3, recurrentDropout: 0.3 })),
    one(`${name} after masking`, padded, () => ({
      apply: (x) => layer().apply(l.masking({ maskValue: 0 }).apply(x as tf.SymbolicTensor)),
    })),
  ];
});

const rnn = (name: string, cell: () => unknown) => one(name, series, () => l.rnn({ cell: cell() as never }) as Applied);
const convLstm = (name: string, shape: number[], args: object) =>
  one(name, shape, () => l.convLstm2d({ filters: 1, kernelSize: 2, ...args } as never) as Applied);

const CELLS: AuditCase[] = [
  rnn('rnn of a simple cell', () => l.simpleRNNCell({ units: 2 })),
  rnn('rnn of stacked cells', () => [l.lstmCell({ units: 2 }), l.gruCell({ units: 3 })]),
  rnn('rnn of a layer of stacked cells', () =>
    l.stackedRNNCells({ cells: [l.gruCell({ units: 2 }), l.simpleRNNCell({ units: 2 })] }),
  ),
  ...PADDINGS.map((padding) => convLstm(`convLstm2d, ${padding}`, [2, 4, 4, 1], { filters: 2, padding })),
  convLstm('convLstm2d with strides and all its outputs', [2, 4, 4, 1], { strides: 2, returnSequences: true }),
  convLstm('convLstm2d with strides larger than its kernel', [2, 5, 5, 1], { strides: 3, padding: 'same' }),
  convLstm('convLstm2d dilated', [2, 5, 5, 1], { dilationRate: 2 }),
  convLstm('convLstm2d dilated with strides', [2, 5, 5, 1], { dilationRate: 2, strides: 2 }),
  ...(['concat', 'sum', 'ave', 'mul'] as const).map((mergeMode) =>
    one(`bidirectional ${mergeMode}`, series, () =>
      l.bidirectional({ layer: l.lstm({ units: 2, returnSequences: true }) as never, mergeMode }),
    ),
  ),
  one('timeDistributed dense', series, () => l.timeDistributed({ layer: l.dense({ units: 3, activation: 'tanh' }) })),
  one('timeDistributed softmax', series, () => l.timeDistributed({ layer: l.softmax() })),
  one('timeDistributed conv2d', [2, 4, 4, 1], () =>
    l.timeDistributed({ layer: l.conv2d({ filters: 2, kernelSize: 2 }) }),
  ),
  one('timeDistributed depthwiseConv2d', [2, 4, 4, 1], () =>
    l.timeDistributed({ layer: l.depthwiseConv2d({ kernelSize: 2 } as never) }),
  ),
];

type Normalization = NonNullable<Parameters<typeof l.batchNormalization>[0]>;

/** Ioffe & Szegedy 2015, algorithm 1 over the last axis; by the moving statistics in prediction and where frozen. */
function plainNormalization({ scale = true, center = true, trainable = true }: Normalization, width: number): Plain {
  const names = [scale ? 'gamma' : [], center ? 'beta' : [], 'moving_mean', 'moving_variance'].flat();
  const shapes = Object.fromEntries(names.map((name) => [name, [width]]));
  const formula = (x: tf.Tensor, { gamma, beta, moving_mean, moving_variance }: Weights, training: boolean) => {
    const over = Array.from({ length: x.rank - 1 }, (_, axis) => axis);
    const mean = training && trainable ? x.mean(over) : moving_mean;
    const variance = training && trainable ? x.sub(mean).square().mean(over) : moving_variance;
    const normal = x.sub(mean).div(variance.add(1e-3).sqrt());
    const scaled = gamma ? normal.mul(gamma) : normal;
    return beta ? scaled.add(beta) : scaled;
  };
  return new Plain(shapes, formula, trainable);
}

/** Batch normalisation without its weights, which tfjs has no gradient of by itself; and frozen, which it does not know. */
const NORMALIZED: AuditCase[] = [row, series, image].flatMap((shape) =>
  [true, false]
    .flatMap((center) => [true, false].map((scale) => ({ scale, center })))
    .flatMap((parts) =>
      [{ args: parts }, { args: parts, training: false }, { args: { ...parts, trainable: false } }].map(
        ({ args, ...more }) =>
          one(
            `batchNormalization of [${shape}] ${show({ ...args, ...more })}`,
            shape,
            () => l.batchNormalization(args),
            {
              ...more,
              truth: ([x]) => plainNormalization(args, shape[shape.length - 1]).apply(x) as tf.SymbolicTensor,
            },
          ),
      ),
    ),
);

const NORMALIZATION: AuditCase[] = [
  ...NORMALIZED,
  one('batchNormalization of channels first', image, () => l.batchNormalization({ axis: 1 })),
  one('batchNormalization of a volume', volume, () => l.batchNormalization()),
  one('batchNormalization of the last axis by number', image, () => l.batchNormalization({ axis: 3 })),
  one(
    'batchNormalization without scale in timeDistributed',
    series,
    () => l.timeDistributed({ layer: l.batchNormalization({ scale: false }) }),
    {
      truth: ([x]) =>
        l.timeDistributed({ layer: plainNormalization({ scale: false }, 2) }).apply(x) as tf.SymbolicTensor,
    },
  ),
  one('layerNormalization', series, () => l.layerNormalization()),
  one('layerNormalization over two axes', series, () => l.layerNormalization({ axis: [1, 2] })),
];

const NOISE: AuditCase[] = [
  one('dropout', series, () => l.dropout({ rate: 0.4 })),
  one('dropout with a noise shape', series, () => l.dropout({ rate: 0.4, noiseShape: [3, 1, 2], seed: 3 })),
  one('spatialDropout1d', series, () => l.spatialDropout1d({ rate: 0.4 })),
  one('gaussianNoise', series, () => l.gaussianNoise({ stddev: 0.4 })),
  one('gaussianDropout', series, () => l.gaussianDropout({ rate: 0.4 })),
  one('alphaDropout', series, () => l.alphaDropout({ rate: 0.4 })),
];

/** A layer on the data, which need no gradient, before a trained layer. */
const beforeDense = (name: string, input: AuditInput, layer: () => Applied): AuditCase =>
  one(name, input, () => ({
    apply: (x) => l.dense({ units: 2 }).apply(layer().apply(x as tf.SymbolicTensor) as tf.SymbolicTensor),
  }));

/** A layer after a trained layer, so that its own gradient counts. */
const afterDense = (name: string, layer: () => Applied, shape = series): AuditCase =>
  one(name, shape, () => ({ apply: (x) => layer().apply(l.dense({ units: 2 }).apply(x as tf.SymbolicTensor)) }));

const TWO_EDGES: [number, number] = [1, 2];
const ONE_EDGE: [number, number] = [0, 3];

const SHAPES: AuditCase[] = [
  one(
    'inputLayer',
    row,
    () => l.inputLayer({ inputShape: row }) && { apply: (x) => l.dense({ units: 1 }).apply(x as never) },
  ),
  one('flatten', image, () => l.flatten()),
  one('flatten of channels first', image, () => l.flatten({ dataFormat: 'channelsFirst' })),
  one('reshape', series, () => l.reshape({ targetShape: [2, 7] })),
  one('permute', volume, () => l.permute({ dims: [3, 1, 4, 2] })),
  one('repeatVector', row, () => l.repeatVector({ n: 3 })),
  beforeDense('masking of data', padded, () => l.masking({ maskValue: 0 })),
  afterDense('masking after a trained layer', () => l.masking({ maskValue: 0 })),
  one('zeroPadding2d', image, () => l.zeroPadding2d({ padding: [TWO_EDGES, ONE_EDGE] })),
  one('zeroPadding2d of channels first', image, () => l.zeroPadding2d({ padding: 1, dataFormat: 'channelsFirst' })),
  one('cropping2D', image, () => l.cropping2D({ cropping: [TWO_EDGES, ONE_EDGE] })),
  one('cropping2D of channels first', image, () =>
    l.cropping2D({ cropping: [TWO_EDGES, [0, 1]], dataFormat: 'channelsFirst' }),
  ),
  ...(['nearest', 'bilinear'] as const).flatMap((interpolation) => [
    one(`upSampling2d ${interpolation}`, [3, 2, 2], () => l.upSampling2d({ size: [2, 3], interpolation })),
    one(`upSampling2d ${interpolation} of channels first`, [2, 3, 2], () =>
      l.upSampling2d({ size: [2, 2], interpolation, dataFormat: 'channelsFirst' }),
    ),
    one(`resizing up ${interpolation}`, [3, 2, 2], () => l.resizing({ height: 5, width: 4, interpolation })),
    one(`resizing down ${interpolation}`, image, () => l.resizing({ height: 3, width: 2, interpolation })),
    one(`randomWidth ${interpolation}`, image, () => l.randomWidth({ factor: [0.2, 0.4], interpolation, seed: 3 })),
  ]),
  one('rescaling', row, () => l.rescaling({ scale: 0.3, offset: 1 })),
  one('centerCrop', image, () => l.centerCrop({ height: 3, width: 3 })),
  one('centerCrop that enlarges', image, () => l.centerCrop({ height: 7, width: 8 })),
  one('embedding', words, () => l.embedding({ inputDim: 4, outputDim: 3 })),
  one('embedding with a mask, then lstm', words, () => ({
    apply: (x) =>
      l.lstm({ units: 2 }).apply(l.embedding({ inputDim: 4, outputDim: 2, maskZero: true }).apply(x as never)),
  })),
];

const MERGES: AuditCase[] = [
  merge('add', () => l.add(), [pair, pair, pair]),
  merge('multiply', () => l.multiply(), [pair, pair, pair]),
  merge('average', () => l.average()),
  merge('maximum', () => l.maximum(), [pair, pair, pair]),
  merge('minimum', () => l.minimum()),
  merge('add of different ranks', () => l.add(), [[2, 3], [3]]),
  merge('concatenate', () => l.concatenate(), [pair, [2, 1], [2, 2]]),
  merge('concatenate along rows', () => l.concatenate({ axis: 1 }), [pair, [1, 3]]),
  merge('dot of rows', () => l.dot({ axes: 1 }), [[4], [4]]),
  merge('dot of rows, normalized', () => l.dot({ axes: -1, normalize: true }), [[4], [4]]),
  merge('dot of series', () => l.dot({ axes: [2, 2] }), [pair, [4, 3]]),
  merge('dot of a series and a row', () => l.dot({ axes: [2, 1] }), [[2, 3], [3]]),
];

const ADVANCED: AuditCase[] = [
  one('reLU', row, () => l.reLU()),
  one('reLU with a maximum', row, () => l.reLU({ maxValue: 1 })),
  one('leakyReLU', row, () => l.leakyReLU({ alpha: 0.2 })),
  one('prelu', row, () => l.prelu()),
  one('prelu with shared axes', image, () => l.prelu({ sharedAxes: [1, 2] })),
  one('elu', row, () => l.elu({ alpha: 1 })),
  beforeDense('thresholdedReLU of data', { shape: row, data: true }, () => l.thresholdedReLU({ theta: 0.4 })),
  afterDense('thresholdedReLU after a trained layer', () => l.thresholdedReLU({ theta: 0.4 })),
  one('softmax', row, () => l.softmax()),
  one('softmax of the last axis', series, () => l.softmax({ axis: -1 })),
  one('softmax of another axis', series, () => l.softmax({ axis: 1 })),
];

/** Names of activations in tfjs-layers. */
const ACTIVATIONS =
  'elu selu relu relu6 linear sigmoid hardSigmoid softplus softsign tanh softmax logSoftmax gelu gelu_new mish swish'.split(
    ' ',
  );

const ACTIVATED: AuditCase[] = ACTIVATIONS.flatMap((activation) => [
  one(`activation ${activation}`, row, () => l.activation({ activation: activation as never })),
  one(`dense ${activation}`, row, () => l.dense({ units: 3, activation: activation as never })),
]);

const REGULARIZED: AuditCase[] = [
  one('dense of a series', series, () => l.dense({ units: 3, useBias: false })),
  one('dense with penalties', row, () =>
    l.dense({
      units: 2,
      kernelRegularizer: tf.regularizers.l1l2({ l1: 0.1, l2: 0.2 }),
      biasRegularizer: tf.regularizers.l2({ l2: 0.3 }),
    }),
  ),
  one('conv2d with penalties', image, () =>
    l.conv2d({
      filters: 1,
      kernelSize: 2,
      kernelRegularizer: tf.regularizers.l1({ l1: 0.1 }),
      biasRegularizer: 'l1l2',
    }),
  ),
  one('a functional model as a layer', row, () => {
    const input = tf.input({ shape: row });
    return tf.model({ inputs: input, outputs: l.dense({ units: 2 }).apply(input) as tf.SymbolicTensor });
  }),
  one('a sequential model as a layer', row, () =>
    tf.sequential({ layers: [l.dense({ units: 2, inputShape: row, activation: 'tanh' }), l.dense({ units: 1 })] }),
  ),
];

/** The losses that a model is trained with here, and an output that suits each. */
const LOSSES: AuditCase[] = (
  [
    ['meanSquaredError', 'linear'],
    ['meanAbsoluteError', 'linear'],
    ['meanAbsolutePercentageError', 'linear'],
    ['meanSquaredLogarithmicError', 'softplus'],
    ['logcosh', 'linear'],
    ['poisson', 'softplus'],
    ['cosineProximity', 'linear'],
    ['kullbackLeiblerDivergence', 'softmax'],
    ['binaryCrossentropy', 'sigmoid'],
    ['categoricalCrossentropy', 'softmax'],
    ['sparseCategoricalCrossentropy', 'softmax'],
    ['categoricalHinge', 'linear'],
    ['hinge', 'linear'],
    ['squaredHinge', 'linear'],
  ] as const
).map(([loss, activation]) => one(`loss ${loss}`, row, () => l.dense({ units: 3, activation }), { loss }));

export const CASES: readonly AuditCase[] = [
  ...CONVOLUTIONS,
  ...POOLINGS,
  ...RECURRENT,
  ...CELLS,
  ...NORMALIZATION,
  ...NOISE,
  ...SHAPES,
  ...MERGES,
  ...ADVANCED,
  ...ACTIVATED,
  ...REGULARIZED,
  ...LOSSES,
];
