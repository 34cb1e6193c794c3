import { describe, expect, it } from 'vitest';
import { spatialProximity } from '../../../src/checkers/CVL006-spatial-proximity/spatialProximity.js';
import { randomSource } from '../../../src/core/random.js';
import { GroupKFold } from '../../../src/splitters/grouped/groupKFold.js';
import { BootstrapValidation } from '../../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../../src/splitters/iid/loocv.js';
import { BufferedSpatialCV } from '../../../src/splitters/spatial/bufferedSpatialCV.js';
import { inWords, judged } from '../judged.js';
import { spatialProximityScenes } from './spatialProximity.scenes.js';

const { leaking, clean } = spatialProximityScenes;
const shuffled = new KFold({ nSplits: 5, shuffle: true, randomState: 1 });
const random = randomSource(8);
const somewhere = (n: number, scale = 1) =>
  Array.from({ length: n }, () => [scale * random.random(), scale * random.random()]);
const noise = (n: number) => Array.from({ length: n }, () => [random.random(), random.random()]);
/** Four rows at places of one digit, in two halves, by the distance that is near. */
const atPlaces =
  (...places: string[]) =>
  (spatialThreshold: number) => {
    const data = { coordinates: places.map((place) => Array.from(place, Number)) };
    return judged(spatialProximity, { X: noise(4), data, splitter: new KFold({ nSplits: 2 }), spatialThreshold });
  };
const coins = (n: number) => Array.from({ length: n }, () => Number(random.random() < 0.5));

describe('spatialProximity with missing places', () => {
  const places = leaking.data?.coordinates as number[][];
  const without = (rows: number) =>
    judged(spatialProximity, {
      ...leaking,
      splitter: shuffled,
      data: { coordinates: places.map((at, row) => (row < rows ? null : at)) as never },
    });

  it('judges the other rows, and says how many have none', async () => {
    const found = await without(1);
    expect(found.message).toMatch(/1 of [\d,]+ rows has no place\. The others were judged\.$/);
    expect(found.status).toBe('failed');
    const none = await without(places.length);
    expect([none.status, none.fix]).toEqual(['not_evaluated', 'Pass the place of each row.']);
  });
});

describe('spatialProximity', () => {
  it('finds the range where most patients of a hospital are at one place, and no other place is near it', async () => {
    const rows = [...Array(300).keys(), 3, 77, 120];
    const coordinates = rows
      .map((patient, row) => (row < 300 ? patient : patient + 5))
      .map((at) => [at % 8, (at >> 3) % 8]);
    const y = coordinates.map(([a, b], row) => Number(row % 10 === 0 ? a + b < 7 : a + b > 7));
    const scene = { X: noise(303), y, splitter: shuffled };
    const byPlace = await judged(spatialProximity, { ...scene, data: { coordinates } });
    const byPatient = await judged(spatialProximity, { ...scene, data: { coordinates, groups: rows } });
    for (const { status, evidence } of [byPlace, byPatient]) {
      expect(status).toBe('failed');
      expect(evidence.range).toBeGreaterThan(1);
    }
    expect([byPlace.evidence.unit, byPatient.evidence.unit]).toEqual(['place', 'patient']);
  });

  it('fails where neighbours are alike and folds are shuffled, with the range and where it was seen', async () => {
    const result = await judged(spatialProximity, leaking);
    expect(result).toMatchObject({ code: 'CVL006', status: 'failed', severity: 'high', fold: 'fold-0' });
    expect(result.message).toMatch(
      /^(9\d|100) % of 240 test rows have a training row within 5\/8 of the range of autocorrelation of y = 1 \(\d\.\d{3}, \d+ % of the extent; nugget \d+ %\), 100 % within the whole range\.$/,
    );
    const { range, extent, folds, examples, distance, shareNear, shareWithinRange } = result.evidence as Record<
      string,
      never
    >;
    expect(distance).toBeCloseTo(range / 1.6, 12);
    expect(shareNear).toBeLessThan(shareWithinRange);
    expect(shareWithinRange).toBe(1);
    expect(range).toBeGreaterThan(1);
    expect(range).toBeLessThan(3.5);
    expect(extent).toBeGreaterThan(9.5);
    expect(extent).toBeLessThan(10);
    expect(folds).toHaveLength(5);
    expect(examples).toHaveLength(5);
  });

  it('passes with a buffer of the range', async () => {
    expect(await judged(spatialProximity, clean)).toMatchObject({ status: 'passed' });
  });

  it('finds what is in the features alone', async () => {
    const coordinates = leaking.data.coordinates as number[][];
    const X = coordinates.map(([a]) => [random.random(), Math.sin(a)]);
    const result = await judged(spatialProximity, { X, y: coins(240), data: { coordinates }, splitter: shuffled });
    expect(result).toMatchObject({ status: 'failed', evidence: { variable: 'feature 1' } });
  });

  it('passes where there is nothing, with what would have been found', async () => {
    const data = { coordinates: somewhere(200) };
    const result = await judged(spatialProximity, { X: noise(200), y: coins(200), data, splitter: shuffled });
    expect(inWords(result)).toMatch(
      /^passed: No spatial autocorrelation in y or 2 features \(200 places\)\. A range of 0\.\d{3} \(20 % of the extent\) with a nugget of up to 20 % would have been found\.$/,
    );
  });

  it('takes the distance that the caller names for the range', async () => {
    const judge = atPlaces('00', '01', '55', '56');
    // The halves are rows 0, 1 and rows 2, 3: the least distance between them is the root of 41, 6.4.
    expect(await judge(6)).toMatchObject({ status: 'passed', evidence: { near: 0, testRows: 4 } });
    const far = await judge(20);
    expect(inWords(far)).toMatch(/^failed: 100 % of 4 test.*`spatialThreshold`.*20/);
    expect(far.fix).toMatch(/BufferedSpatialCV.*`bufferSize`.*SpatialBlockCV/);
  });

  it('takes rows of one place for neighbours', async () => {
    expect(await atPlaces('11', '11', '11', '11')(1)).toMatchObject({ status: 'failed', evidence: { near: 4 } });
  });

  it('measures kilometres where the splitter does', async () => {
    // Rows 0 and 1, 2 and 3 share their places; the two places are a degree, 111.2 km, apart.
    const data = { coordinates: [179.5, 179.5, -179.5, -179.5].map((longitude) => [0, longitude]) };
    const splitter = new BufferedSpatialCV({ nSplits: 2, bufferSize: 10, distanceMetric: 'haversine', randomState: 1 });
    const judge = (spatialThreshold: number) =>
      judged(spatialProximity, { X: noise(4), data, splitter, spatialThreshold });
    expect(splitter.claims).toMatchObject({ separated: true, geographic: true });
    expect(await judge(111)).toMatchObject({ status: 'passed' });
    expect(await judge(112)).toMatchObject({ status: 'failed' });
  });

  it('does not take patients whose rows are alike for places that are', async () => {
    const homes = somewhere(100);
    const groups = Array.from({ length: 1000 }, (_, row) => `patient-${row % 100}`);
    const labels = coins(100);
    const levels = noise(100);
    const result = await judged(spatialProximity, {
      X: groups.map((_, row) => levels[row % 100]),
      y: groups.map((_, row) => labels[row % 100]),
      data: {
        groups,
        coordinates: groups.map((_, row) => homes[row % 100].map((value) => value + 0.01 * random.random())),
      },
      splitter: new GroupKFold({ nSplits: 5, randomState: 1 }),
    });
    expect(result).toMatchObject({ status: 'passed', evidence: { unit: 'patient', units: 100 } });
  });

  it('gives numbers for bad input', async () => {
    const odd = Array.from({ length: 60 }, (_, i) => [
      i % 2 ? 1e300 : 1e-300,
      Number.NaN,
      i % 3 ? 'a' : null,
      Number.POSITIVE_INFINITY,
      7,
    ]);
    for (const splitter of [shuffled, new LOOCV(), new BootstrapValidation({ nIterations: 5, randomState: 1 })]) {
      // The last are as far apart as no number says.
      const largest = somewhere(60).map((place) => place.map((at) => (2 * at - 1) * 1.7e308));
      for (const coordinates of [...[1e-300, 1, 1e300].map((scale) => somewhere(60, scale)), largest]) {
        const result = await judged(spatialProximity, { X: odd, data: { coordinates }, splitter });
        expect(result.status).toBe('passed');
        expect(result.evidence.extent === Number.MAX_VALUE).toBe(coordinates === largest);
        expect(JSON.stringify(result)).not.toMatch(/NaN|Infinity|null/);
      }
    }
    const constant = { X: odd.map(() => [1]), y: odd.map(() => 0), data: { coordinates: somewhere(60) } };
    const ten = { X: noise(10), data: { coordinates: somewhere(10) } };
    for (const scene of [constant, ten]) {
      expect((await judged(spatialProximity, { ...scene, splitter: shuffled })).status).toBe('not_evaluated');
    }
  });
});
