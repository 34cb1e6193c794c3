/** The ONNX files of test/reference/onnx.py, and what the reference evaluator of the package onnx computes for them. */
import { readFileSync } from 'node:fs';
import * as ort from 'onnxruntime-node';
import { vi } from 'vitest';

export const fixturePath = (name: string) => new URL(`../../reference/onnx/${name}.onnx`, import.meta.url);
export const fixtureBytes = (name: string) => new Uint8Array(readFileSync(fixturePath(name)));

interface Reference {
  readonly inputs: Readonly<Record<string, { readonly shape: number[]; readonly data: number[] }>>;
  // biome-ignore lint/suspicious/noExplicitAny: nested lists of numbers or texts
  readonly outputs: Readonly<Record<string, any>>;
}

const { models } = JSON.parse(readFileSync(new URL('../../reference/onnx.json', import.meta.url), 'utf8')) as {
  readonly models: Readonly<Record<string, Reference>>;
};

export const reference = (name: string): Reference => models[name];

/** onnxruntime-node, with the `release` of each session that it has opened. */
export function countingOrt() {
  const releases: ReturnType<typeof vi.spyOn>[] = [];
  const create = async (...given: Parameters<typeof ort.InferenceSession.create>) => {
    const session = await ort.InferenceSession.create(...given);
    releases.push(vi.spyOn(session, 'release'));
    return session;
  };
  return { releases, counting: { ...ort, InferenceSession: { create } } };
}

/** The one input of a reference as `X`. */
export function inputOf(name: string): { data: Float64Array; shape: number[] } {
  const [{ shape, data }] = Object.values(models[name].inputs);
  return { data: Float64Array.from(data), shape };
}

/** Channels from the second to the last place. */
export function channelsLast({ data, shape: [n, channels, height, width] }: { data: Float64Array; shape: number[] }) {
  const out = new Float64Array(data.length);
  const pixels = height * width;
  for (let row = 0; row < n; row++) {
    for (let channel = 0; channel < channels; channel++) {
      for (let pixel = 0; pixel < pixels; pixel++) {
        out[(row * pixels + pixel) * channels + channel] = data[(row * channels + channel) * pixels + pixel];
      }
    }
  }
  return { data: out, shape: [n, height, width, channels] };
}
