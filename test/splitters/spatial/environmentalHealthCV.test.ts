import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InfeasibleSplitError } from '../../../src/core/errors.js';
import {
  EnvironmentalHealthCV,
  type EnvironmentalHealthCVOptions,
} from '../../../src/splitters/spatial/environmentalHealthCV.js';
import { splitterSuite } from '../../conformance/splitterSuite.js';
import { thrownBy } from '../../conformance/suite.js';
import { spatial } from '../examples/spatial.js';
import { expectWholePartition, type Place, planes } from './places.js';

const DAY = 86_400_000;
const n = 48;
/** Two towns, seen every tenth day from 2023-10-01 on. */
const coordinates = Array.from({ length: n }, (_, row): Place => [100 * (row % 2) + (row % 3), row % 5]);
const timestamps = coordinates.map((_, row) => new Date(Date.UTC(2023, 9, 1) + 10 * row * DAY));
const environment = {
  pm25: Array.from({ length: n }, (_, row) => (row * 29) % n),
  noise: Array.from({ length: n }, (_, row) => Math.floor(row / 12)),
};

const foldsOf = (options: EnvironmentalHealthCVOptions = {}, side: object = {}) =>
  Array.from(
    new EnvironmentalHealthCV({ spatialBlocks: 2, randomState: 1, ...options }).split(n, null, {
      coordinates,
      timestamps,
      environment,
      ...side,
    }),
  );

describe('EnvironmentalHealthCV', () => {
  it('crosses seasons and places, by hand', () => {
    // 48 times from 2023-10-01 to 2025-01-13
    const seasons = ['autumn-2023', 'winter-2024', 'spring-2024', 'summer-2024', 'autumn-2024', 'winter-2025'];
    const folds = foldsOf();
    expect(folds.map(({ id }) => id)).toEqual(seasons.flatMap((season) => [`${season}.block-0`, `${season}.block-1`]));
    expectWholePartition(folds, n);
    for (const { id, test, train } of folds) {
      expect(train.length).toBe(n - test.length);
      expect(new Set(Array.from(test, (row) => row % 2)).size).toBe(1);
      // December 2023 lies in the winter of 2024
      const december = Array.from(test).some((row) => timestamps[row].toISOString().startsWith('2023-12'));
      if (december) expect(id).toContain('winter-2024');
    }
  });

  it('crosses years or months on request', () => {
    expect(foldsOf({ temporalStrategy: 'yearly' }).map(({ id }) => id)).toEqual(
      ['2023', '2024', '2025'].flatMap((year) => [`${year}.block-0`, `${year}.block-1`]),
    );
    const months = foldsOf({ temporalStrategy: 'monthly', spatialBlocks: 1 }).map(({ id }) => id);
    expect(months.length).toBe(16);
    expect([months[0], months[4], months[15]]).toEqual(['2023-10.block-0', '2024-02.block-0', '2025-01.block-0']);
  });

  it('takes strings with offsets and Dates, with the same folds', () => {
    const inTokyo = timestamps.map((time) => new Date(+time + 9 * 3_600_000).toISOString().replace('Z', '+09:00'));
    expect(foldsOf({}, { timestamps: inTokyo })).toEqual(foldsOf());
  });

  it('clusters by environment too when it is asked to', () => {
    // by hand: one address, and two levels of noise with little in between
    const address = Array.from({ length: n }, (): Place => [3, 4]);
    const noise = Array.from({ length: n }, (_, row) => (row % 7 < 3 ? 40 : 80) + (row % 2));
    const options = { environmentalVars: ['noise'], temporalStrategy: 'yearly' } as const;
    for (let randomState = 0; randomState < 10; randomState++) {
      const folds = foldsOf({ ...options, randomState }, { coordinates: address, environment: { noise } });
      const loudOf = new Map<string, Set<boolean>>();
      for (const { id, test } of folds) {
        const block = id.slice(id.indexOf('/'));
        for (const row of test) loudOf.set(block, (loudOf.get(block) ?? new Set()).add(noise[row] > 60));
      }
      for (const loud of loudOf.values()) expect(loud.size).toBe(1);
    }
  });

  it('takes no notice of the unit of a variable or of the map, nor of where its origin is', () => {
    // 1024 and 8 are exact in binary
    const options = { environmentalVars: ['pm25', 'noise'], spatialBlocks: 4 };
    const other = {
      coordinates: coordinates.map(([x, y]): Place => [1024 * x, 1024 * y]),
      environment: { pm25: environment.pm25.map((v) => v / 8), noise: environment.noise.map((v) => 1024 * v) },
    };
    expect(foldsOf(options, other)).toEqual(foldsOf(options));
  });

  it('does not stretch the map: a long valley is cut across, not along', () => {
    // by hand: 40 long and 2 wide; stretched to equal deviations, half of the two clusters would run along it
    const valley = Array.from({ length: n }, (_, row): Place => [row - (row % 2), 2 * (row % 2)]);
    const constant = { flat: Array.from({ length: n }, () => 7) };
    for (let randomState = 0; randomState < 20; randomState++) {
      const options = { environmentalVars: ['flat'], temporalStrategy: 'yearly', randomState } as const;
      const folds = foldsOf(options, { coordinates: valley, environment: constant });
      const blockOf = new Map(folds.flatMap(({ id, test }) => Array.from(test, (row) => [row, id.at(-1)] as const)));
      for (let row = 0; row < n; row += 2) expect(blockOf.get(row)).toBe(blockOf.get(row + 1));
    }
  });

  it('leaves out rows that are near in every variable, by hand', () => {
    const folds = foldsOf({ bufferConfig: { pm25: 5, noise: 2 } });
    expectWholePartition(folds, n);
    const isNear = (a: number, b: number) =>
      Math.abs(environment.pm25[a] - environment.pm25[b]) < 5 &&
      Math.abs(environment.noise[a] - environment.noise[b]) < 2;
    let left = 0;
    for (const { train, test, excluded } of folds) {
      for (const row of train) expect(test.some((tested) => isNear(row, tested))).toBe(false);
      for (const row of excluded?.buffered ?? []) expect(test.some((tested) => isNear(row, tested))).toBe(true);
      left += excluded?.buffered?.length ?? 0;
    }
    expect(left).toBeGreaterThan(0);
  });

  it('keeps its promises on random data, or says why it cannot', async () => {
    let feasible = 0;
    await fc.assert(
      fc.asyncProperty(
        planes,
        fc.array(fc.date({ min: new Date('1899-01-01'), max: new Date('2101-01-01'), noInvalidDate: true }), {
          minLength: 60,
          maxLength: 60,
        }),
        fc.record({
          spatialBlocks: fc.integer({ min: 1, max: 5 }),
          temporalStrategy: fc.constantFrom('seasonal', 'yearly', 'monthly'),
          environmentalVars: fc.constantFrom<string[] | null>(null, ['a'], ['b', 'a']),
          bufferConfig: fc.constantFrom<Record<string, number> | null>(null, { a: 2 }, { a: 4, b: 0.25 }),
          randomState: fc.nat(),
        }),
        async (places, times, options) => {
          const splitter = new EnvironmentalHealthCV(options);
          const rows = Array.from(places.keys());
          const a = rows.map((row) => (row * 7) % 23);
          const b = rows.map((row) => Math.sin(row));
          const data = { coordinates: places, timestamps: times.slice(0, places.length), environment: { a, b } };
          let folds: ReturnType<typeof foldsOf> = [];
          const error = await thrownBy(() => {
            folds = [...splitter.split(places.length, null, data)];
          });
          if (error !== undefined) {
            expect(error).toBeInstanceOf(InfeasibleSplitError);
            return;
          }
          feasible++;
          expectWholePartition(folds, places.length);
          expect(splitter.getNSplits(places.length, null, data)).toBe(folds.length);
          const { bufferConfig } = options;
          const values: Record<string, number[]> = { a, b };
          const isNear = (p: number, q: number) =>
            bufferConfig !== null &&
            Object.entries(bufferConfig).every(([name, width]) => Math.abs(values[name][p] - values[name][q]) < width);
          for (const { train, test, excluded } of folds) {
            expect(train.some((p) => test.some((q) => isNear(p, q)))).toBe(false);
            expect((excluded?.buffered ?? new Int32Array()).every((p) => test.some((q) => isNear(p, q)))).toBe(true);
          }
        },
      ),
      { numRuns: 200 },
    );
    expect(feasible).toBeGreaterThan(100);
  });
});

describe('EnvironmentalHealthCV with environment passes the common suite', () => {
  const { facts } = EnvironmentalHealthCV;
  const entry = {
    ...facts,
    create: (options?: EnvironmentalHealthCVOptions) => new EnvironmentalHealthCV(options),
    needs: [...facts.needs, 'environment'] as const,
    uses: [],
    dataSets: spatial.EnvironmentalHealthCV?.dataSets ?? [],
    examples: [{ environmentalVars: ['temperature'], bufferConfig: { temperature: 0.5 }, temporalStrategy: 'yearly' }],
  };
  for (const each of splitterSuite(entry)) it(each.name, each.run);
});
