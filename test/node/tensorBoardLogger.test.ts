import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { ReduceLROnPlateau } from '../../src/callbacks/reduceLROnPlateau.js';
import { TensorBoardLogger } from '../../src/node/tensorBoardLogger.js';
import type { CVCallback } from '../../src/runner/callback.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { cloningExecutor } from '../helpers/cloningExecutor.js';
import { Climber, scriptedAdapter } from '../helpers/scriptedAdapter.js';
import { tempFolder } from '../helpers/tempFolder.js';
import { DIST, needDist } from '../meta/dist.js';

const PYTHON = process.env.PYTHON ?? 'python3';
const hasTensorBoard = spawnSync(PYTHON, ['-c', 'import tensorboard'], { stdio: 'ignore' }).status === 0;
const READ = `
import json, sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
read = EventAccumulator(sys.argv[1]); read.Reload()
print(json.dumps({tag: [[s.step, s.value] for s in read.Scalars(tag)] for tag in read.Tags()['scalars']}))
`;

/** CRC-32C bit by bit; its check value is that of "123456789" in RFC 3720, B.4: e3069283. */
function crc(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0x82f63b78 : rest >>> 1;
  }
  return (rest ^ 0xffffffff) >>> 0;
}
const masked = (bytes: Uint8Array) => {
  const value = crc(bytes);
  return (((value >>> 15) | (value << 17)) + 0xa282ead8) >>> 0;
};

/** Fields of a message by number, in order. */
function fieldsOf(bytes: Buffer): (readonly [field: number, value: number | Buffer])[] {
  const fields: [number, number | Buffer][] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      value += (bytes[at] & 127) * shift;
      if (bytes[at++] < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = varint();
    const size = [0, 8, 0, 0, 0, 4][key & 7];
    if ((key & 7) === 0) fields.push([key >> 3, varint()]);
    else {
      const length = size || varint();
      fields.push([key >> 3, bytes.subarray(at, at + length)]);
      at += length;
    }
  }
  return fields;
}

type Point = readonly [step: number, value: number];

/** The events of a file; each record is whole, and both of its sums are right. */
function eventsIn(path: string) {
  const bytes = readFileSync(path);
  const events = [];
  for (let at = 0; at < bytes.length; ) {
    const length = Number(bytes.readBigUInt64LE(at));
    const data = bytes.subarray(at + 12, at + 12 + length);
    expect(bytes.readUInt32LE(at + 8)).toBe(masked(bytes.subarray(at, at + 8)));
    expect(bytes.readUInt32LE(at + 12 + length)).toBe(masked(data));
    at += 16 + length;
    const fields = new Map(fieldsOf(data));
    const scalars = fieldsOf((fields.get(5) as Buffer | undefined) ?? Buffer.alloc(0)).map(([, value]) => {
      const scalar = new Map(fieldsOf(value as Buffer));
      return [String(scalar.get(1)), (scalar.get(2) as Buffer).readFloatLE()] as const;
    });
    const time = (fields.get(1) as Buffer).readDoubleLE();
    events.push({
      time,
      step: fields.get(2) as number,
      version: fields.get(3)?.toString(),
      starts: fields.has(7),
      scalars,
    });
  }
  return events;
}

/** Points by tag, as TensorBoard has them: the start of a session takes the place of what was before. */
function curvesIn(folder: string): Record<string, Point[]> {
  let curves: Record<string, Point[]> = {};
  for (const name of readdirSync(folder).sort()) {
    for (const { step, starts, scalars } of eventsIn(join(folder, name))) {
      if (starts) curves = {};
      for (const [tag, value] of scalars) curves[tag] = [...(curves[tag] ?? []), [step, value]];
    }
  }
  return curves;
}

const temp = tempFolder();
let count = 0;
let directory: string;
beforeEach(() => {
  directory = join(temp.folder, `board-${count++}`);
});
const filesOf = (fold: string) => readdirSync(join(directory, fold)).sort();
const of = (fold: string) => curvesIn(join(directory, fold));

const X = Array.from({ length: 8 }, (_, row) => [row]);
const y = X.map(([row]) => row / 4);

const run = (
  options: Partial<RunOptions> = {},
  runner: object = {},
  script: Parameters<typeof scriptedAdapter>[0] = {},
) =>
  new UniversalCVRunner({
    ...{ cvSplitter: new KFold({ nSplits: 2 }), adapter: scriptedAdapter(script).adapter, verbose: 0 },
    ...runner,
  }).run({
    ...{ model: () => new Climber(), data: [X, y], epochs: 3, metrics: ['mae'] },
    ...{ callbacks: new TensorBoardLogger({ directory }) },
    ...options,
  } as RunOptions);

const thrownBy = (work: () => Promise<unknown>): Promise<Error & { code?: string }> =>
  work().then(
    () => expect.unreachable(),
    (error) => error,
  );
const f32 = Math.fround;
const logs = (epoch: number) => ({ loss: 1 / (epoch + 3), own: epoch });

describe('TensorBoardLogger', () => {
  it('reads with sums that are those of RFC 3720', () => {
    expect(crc(Buffer.from('123456789'))).toBe(0xe3069283);
  });

  it('writes the logs and the learning rate of each epoch, and the scores of the fold, in a folder for each', async () => {
    const before = Date.now() / 1000;
    const results = await run({ returnTrainScores: true } as Partial<RunOptions>, {}, { logs });
    expect(readdirSync(directory).sort()).toEqual(['fold-0', 'fold-1']);
    for (const [at, fold] of ['fold-0', 'fold-1'].entries()) {
      const [name, ...others] = filesOf(fold);
      expect(others).toEqual([]);
      expect(name).toMatch(/^events\.out\.tfevents\.\d{10}\..+\.\d+\.0$/);
      const events = eventsIn(join(directory, fold, name));
      expect(events[0]).toMatchObject({ step: 0, version: 'brain.Event:2', scalars: [] });
      expect(events.every(({ time }) => time >= before && time <= Date.now() / 1000)).toBe(true);
      const score = (values: typeof results.scores) => [[2, f32(values.mae[at].value as number)]];
      expect(of(fold)).toEqual({
        loss: [0, 1, 2].map((epoch) => [epoch, f32(1 / (epoch + 3))]),
        own: [0, 1, 2].map((epoch) => [epoch, epoch]),
        learningRate: [0, 1, 2].map((epoch) => [epoch, 1]),
        'score/mae': score(results.scores),
        'train_score/mae': [[2, expect.any(Number)]],
      });
    }
  });

  it('writes the rate that an epoch was trained with', async () => {
    const callbacks = [new TensorBoardLogger({ directory }), new ReduceLROnPlateau({ patience: 1, factor: 0.5 })];
    await run({ callbacks, validation: 0.25 }, {}, { valLoss: [1, 1, 1] });
    // ReduceLROnPlateau: the second epoch is no better than the first.
    expect(of('fold-0').learningRate).toEqual([
      [0, 1],
      [1, 1],
      [2, 0.5],
    ]);
  });

  it('leaves out a rate that nobody knows, and a score without a value', async () => {
    const { adapter } = scriptedAdapter({}, { learningRate: undefined });
    await run({ metrics: ['r2'] }, { adapter, cvSplitter: new KFold({ nSplits: 8 }) });
    expect(Object.keys(of('fold-0'))).toEqual(['loss']);
  });

  it('writes the scores of a model that has no epochs', async () => {
    const model = () => ({ fit: () => undefined, predict: (rows: number[][]) => rows.map(() => 1) });
    await run({ model, epochs: undefined }, { adapter: undefined });
    expect(of('fold-0')).toEqual({ 'score/mae': [[0, expect.any(Number)]] });
  });

  it('gives the same with several folds at once', async () => {
    await run({}, {}, { logs });
    const alone = [of('fold-0'), of('fold-1')];
    directory += '-apart';
    await run({}, { executor: cloningExecutor(2) }, { logs });
    expect([of('fold-0'), of('fold-1')]).toEqual(alone);
  });

  it('has whole files of a run that was ended', async () => {
    const ending: CVCallback = {
      onEpochEnd({ fold, epoch }) {
        if (fold === 'fold-1' && epoch === 1) throw new Error('enough');
      },
    };
    await thrownBy(() => run({ callbacks: [new TensorBoardLogger({ directory }), ending] }));
    expect(of('fold-0').loss).toHaveLength(3);
    expect(of('fold-1')).toMatchObject({
      loss: [
        [0, 0],
        [1, 0],
      ],
    });
    expect(of('fold-1')).not.toHaveProperty('score/mae');
  });

  it('serves a second run in the same directory with files of its own, and overwrites none', async () => {
    const callbacks = new TensorBoardLogger({ directory });
    await run({ callbacks }, {}, { logs });
    const [first] = filesOf('fold-0');
    const bytes = readFileSync(join(directory, 'fold-0', first));
    const long = 'ä'.repeat(99);
    await run({ callbacks, epochs: 130 }, {}, { logs: (epoch) => ({ [long]: epoch }) });
    expect(filesOf('fold-0')).toHaveLength(2);
    expect(readFileSync(join(directory, 'fold-0', first))).toEqual(bytes);
    expect(of('fold-0')[long]).toEqual(Array.from({ length: 130 }, (_, epoch) => [epoch, epoch]));
    expect(of('fold-0').own).toBeUndefined();
  });

  it('begins the curve of a fold anew that is tried again', async () => {
    let builds = 0;
    const broken = scriptedAdapter({
      logs(epoch) {
        if (builds === 1 && epoch === 2) throw new Error('lost');
        return { attempt: builds };
      },
    });
    const model = () => {
      builds++;
      return new Climber();
    };
    await run({ model, retries: 1 }, { adapter: broken.adapter });
    expect(of('fold-0').attempt?.map(([step]) => step)).toEqual([0, 1, 2]);
    expect(of('fold-0').attempt?.[0][1]).toBeGreaterThan(1);
    expect(filesOf('fold-0')).toHaveLength(2);
  });

  it('refuses before the first fold a directory that cannot be one', async () => {
    writeFileSync(directory, '');
    let folds = 0;
    const callbacks = [new TensorBoardLogger({ directory }), { onFoldStart: () => void folds++ }];
    const error = await thrownBy(() => run({ callbacks }));
    expect(error).toMatchObject({ code: 'callback', cause: { code: 'unwritable_place' } });
    expect(folds).toBe(0);
    expect(() => new TensorBoardLogger({} as never)).toThrow(/directory/);
  });

  it('tells where it cannot go on', async () => {
    mkdirSync(directory);
    writeFileSync(join(directory, 'fold-1'), 'no folder');
    const error = await thrownBy(() => run());
    expect(error).toMatchObject({ code: 'callback', cause: { code: 'unwritable_place' } });
  });

  it.skipIf(!hasTensorBoard)(
    'is read by TensorBoard itself, where Python has it (PYTHON, or python3)',
    async () => {
      const callbacks = new TensorBoardLogger({ directory });
      await run({ callbacks, epochs: 5 }, {}, { logs });
      // The second run takes the place of the first one.
      await run({ callbacks, epochs: 130 }, {}, { logs });
      const read = JSON.parse(execFileSync(PYTHON, ['-c', READ, join(directory, 'fold-1')], { encoding: 'utf8' }));
      expect(read).toEqual(of('fold-1'));
      expect(read.loss).toHaveLength(130);
    },
    60_000,
  );

  it('hears of folds in threads, and of those that a run directory kept', { tags: 'slow' }, async () => {
    needDist();
    const built = (name: string) => import(/* @vite-ignore */ pathToFileURL(join(DIST, 'node', name)).href);
    const cvkit: typeof import('../../src/index.js') = await built('index.js');
    const node: typeof import('../../src/node/index.js') = await built('node.js');
    const executor = node.threads({ workers: 2 });
    const runner = new cvkit.UniversalCVRunner({
      ...{ cvSplitter: new cvkit.KFold({ nSplits: 2 }), executor, verbose: 0, adapterOptions: { backend: 'cpu' } },
    });
    const runDirectory = `${directory}-run`;
    const labels = X.map(([row]) => row % 2);
    const at = (folder: string) =>
      runner.run({
        ...{ model: new URL('./models/network.mjs', import.meta.url), data: [X, labels], epochs: 2 },
        ...{ metrics: ['accuracy'], runDirectory, resumeKey: '1' },
        callbacks: new node.TensorBoardLogger({ directory: folder }),
      });
    const first = await at(directory);
    await executor.close();
    for (const [index, fold] of ['fold-0', 'fold-1'].entries()) {
      const losses = first.histories[index].epochs.map(({ loss }, epoch) => [epoch, f32(loss)]);
      expect(of(fold).loss).toEqual(losses);
      expect(of(fold).learningRate).toEqual([0, 1].map((epoch) => [epoch, f32(0.001)]));
    }
    const [{ learningRate: _rate, ...heard }] = [of('fold-0')];
    directory += '-kept';
    await at(directory);
    expect(of('fold-0')).toEqual(heard);
  });
});
