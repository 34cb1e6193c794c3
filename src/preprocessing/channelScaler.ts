import { invalidData } from '../core/errors.js';
import { boolean, type InputOf, optionTable } from '../core/options.js';
import { doubles, fields, positive, type Shape } from '../core/shape.js';
import type { Dense, NumericArray } from '../data/dense.js';
import { floatsFor } from '../data/imageSizes.js';
import { blocksOf } from '../data/rowKinds.js';
import type { Rows } from '../data/rows.js';
import { withShape } from '../data/withShape.js';
import { defineImageStep } from './defineImageStep.js';
import { isConstant } from './standardScaler.js';

export const scalerOptions = {
  withMean: boolean().default(true).describe('Subtract the mean of each channel.'),
  withStd: boolean().default(true).describe('Divide by the standard deviation of each channel, of n and not of n - 1.'),
};

export interface ChannelScales {
  readonly mean: Float64Array;
  readonly scale: Float64Array;
}

interface Settings {
  readonly withMean: boolean;
  readonly withStd: boolean;
  readonly maskValue?: number | null;
}

/** Scales what lies on the last axis of rows; places where all of it is `maskValue` take no part. */
export const channelScaling = (owner: string, channelsOf: (rowShape: readonly number[]) => number) => ({
  learning: {
    state: ((value, at) => {
      const width = (value as Partial<ChannelScales> | undefined)?.mean?.length ?? 0;
      return fields({ mean: doubles(width), scale: positive(width) })(value, at);
    }) as Shape,
    async fit(rows: Rows, { maskValue }: Settings): Promise<ChannelScales> {
      const X = await withShape(rows);
      const width = channelsOf(X.rowShape ?? []);
      const [counts, mean, squares] = Array.from({ length: 3 }, () => new Float64Array(width));
      for (const block of blocksOf(X)) {
        const { data } = await X.take(block).toDense();
        // Welford 1962: in one reading, and also where values lie far from 0.
        for (let at = 0; at < data.length; at += width) {
          if (isMasked(data, at, width, maskValue)) continue;
          for (let channel = 0; channel < width; channel++) {
            const off = data[at + channel] - mean[channel];
            if (Number.isNaN(off)) continue;
            mean[channel] += off / ++counts[channel];
            squares[channel] += off * (data[at + channel] - mean[channel]);
          }
        }
      }
      const scale = squares.map((sum, channel) => {
        const [n, variance] = [counts[channel], sum / counts[channel]];
        if (Number.isFinite(variance)) return isConstant(mean[channel], variance, n) ? 1 : Math.sqrt(variance);
        const got = n === 0 ? 'none' : 'infinite ones';
        throw invalidData('empty_channel', `Channel ${channel} for ${owner}`, 'hold finite numbers', got);
      });
      return { mean, scale };
    },
  },
  transform({ data, shape }: Dense, { withMean, withStd, maskValue }: Settings, { mean, scale }: ChannelScales): Dense {
    const width = channelsOf(shape.slice(1));
    if (width !== mean.length) {
      const must = `have the number of channels that it was fitted on, ${mean.length}`;
      throw invalidData('column_mismatch', `Rows for ${owner}`, must, String(width));
    }
    const out = new (floatsFor(data))(data);
    for (let at = 0; at < data.length; at += width) {
      if (isMasked(data, at, width, maskValue)) continue;
      for (let channel = 0; channel < width; channel++) {
        const off = data[at + channel] - (withMean ? mean[channel] : 0);
        out[at + channel] = withStd ? off / scale[channel] : off;
      }
    }
    return { data: out, shape };
  },
});

function isMasked(data: NumericArray, at: number, width: number, maskValue: number | null | undefined): boolean {
  if (maskValue === undefined || maskValue === null) return false;
  for (let channel = 0; channel < width; channel++) if (data[at + channel] !== maskValue) return false;
  return true;
}

const options = optionTable('ChannelScaler', scalerOptions);

export type ChannelScalerOptions = InputOf<typeof options>;

/**
 * Scales each channel of images to a mean of 0 and a standard deviation of 1 over all pixels of the rows of `fit`: `[height,
 * width]` is one channel, else the last axis holds them. NaN is left out and stays; a constant channel is divided by 1.
 */
export class ChannelScaler extends defineImageStep({
  options,
  ...channelScaling('ChannelScaler', (rowShape) => (rowShape.length > 2 ? (rowShape.at(-1) ?? 1) : 1)),
})<ChannelScalerOptions> {
  /** Mean of each channel. */
  get mean(): Float64Array {
    return this.fitted.mean;
  }

  /** What each channel is divided by. */
  get scale(): Float64Array {
    return this.fitted.scale;
  }
}
