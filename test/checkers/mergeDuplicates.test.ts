import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patientOverlap } from '../../src/checkers/CVL001-patient/patientOverlap.js';
import { duplicateRows } from '../../src/checkers/CVL002-duplicate/duplicateRows.js';
import { nearDuplicates } from '../../src/checkers/CVL003-near-duplicate/nearDuplicates.js';
import { checkInput } from '../../src/checkers/checkInput.js';
import { mergeDuplicates } from '../../src/checkers/mergeDuplicates.js';
import { randomSource } from '../../src/core/random.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import type { Splitter } from '../../src/splitters/splitter.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { refusal } from '../helpers/messages.js';
import { judged } from './judged.js';

/** `n` rows of six numbers in [0, 1). */
function noise(n: number, seed = 1): number[][] {
  const random = randomSource(seed);
  return Array.from({ length: n }, () => Array.from({ length: 6 }, () => random.random()));
}

describe('mergeDuplicates', () => {
  it('joins equal rows, near pairs and patients through each other', async () => {
    // 0 = 5 (equal), 5 ~ 7 (given), patient b has 7 and 2: {0, 2, 5, 7}; patient c has 3 and 4; 1 and 6 stay alone.
    const X = noise(8);
    X[5] = [...X[0]];
    const groups = ['a', 'd', 'b', 'c', 'c', 'e', 'f', 'b'];
    const merged = await mergeDuplicates(X, { groups, near: [[5, 7]], nSplits: 2, revealIds: true });
    const [first] = merged.groups;
    expect(Array.from(merged.groups, (group) => group - first)).toEqual([0, 1, 0, 2, 2, 0, 3, 0]);
    expect(merged).toMatchObject({ nGroups: 4, clusters: { count: 1, largest: 3 }, mergedPatients: [['a', 'b', 'e']] });
    expect(merged.code).toBe(
      'new GroupKFold({ nSplits: 2, shuffle: true, randomState: 42 }).split(X, { groups: merged.groups })',
    );
    expect(merged.summary()).toMatch(
      /1 cluster.* 8 rows.* 3 rows.* 4 groups.*3 patients.* 1 group\.\n {2}Folds: new GroupKFold/s,
    );
  });

  it('prints patients as hashes', async () => {
    const X = noise(8);
    X[5] = [...X[0]];
    const groups = X.map((_, row) => `patient-${row}`);
    const { mergedPatients, summary } = await mergeDuplicates(X, { groups, near: false });
    expect(mergedPatients).toEqual([
      [expect.stringMatching(/^#[0-9a-f]{8}$/), expect.stringMatching(/^#[0-9a-f]{8}$/)],
    ]);
    expect(summary()).not.toContain('patient-');
  });

  it('leaves rows without duplicates as they were', async () => {
    const merged = await mergeDuplicates(noise(30), { near: false });
    expect(merged).toMatchObject({ nGroups: 30, clusters: { count: 0, largest: 0 }, mergedPatients: [], notes: [] });
    expect(merged.summary()).toMatch(/30 rows, in 30 groups.*\n {2}Folds: new GroupKFold/);
  });

  it('proposes folds on which the checks pass that failed', async () => {
    const X = noise(200, 5);
    const random = randomSource(6);
    const groups = X.map((_, row) => `patient-${Math.floor(row / 2)}`);
    for (let k = 0; k < 10; k++) X[199 - k] = [...X[k]];
    for (let k = 10; k < 20; k++) X[199 - k] = X[k].map((value) => value + 1e-3 * (random.random() - 0.5));
    const y = X.map((_, row) => Math.floor(row / 2) % 2);
    const merged = await mergeDuplicates(X, { y, groups });
    const checks = [patientOverlap, duplicateRows, nearDuplicates];
    const statuses = (splitter: Splitter, ids: ArrayLike<string | number>) =>
      Promise.all(checks.map(async (check) => (await judged(check, { X, y, data: { groups: ids }, splitter })).status));
    expect(await statuses(new GroupKFold({ randomState: 1 }), groups)).toEqual(['passed', 'failed', 'failed']);
    expect(merged.clusters.count).toBe(20);
    expect(await statuses(merged.splitter, merged.groups)).toEqual(['passed', 'passed', 'passed']);
  });

  it('chooses the splitter by the labels', async () => {
    const X = noise(40);
    const even = X.map((_, row) => row % 2);
    for (const [options, name] of [
      [{}, 'GroupKFold'],
      [{ y: even }, 'StratifiedGroupKFold'],
      [{ y: X.map(([a]) => a) }, 'GroupKFold'],
      [{ y: even, task: 'regression' }, 'GroupKFold'],
      [{ y: even.map((one) => [one, 1]) }, 'MultilabelStratifiedGroupKFold'],
    ] as const) {
      expect((await mergeDuplicates(X, { near: false, ...options })).splitter.facts.name).toBe(name);
    }
  });

  it.each([
    ['20 copies and 20 near copies', 20, 20],
    ['60 copies', 60, 0],
    ['copies of all rows', 150, 0],
  ])('leaves nothing to find among %s of 300 rows', async (_, equal, near) => {
    const X = noise(300, 7);
    const random = randomSource(8);
    for (let k = 0; k < equal; k++) X[299 - k] = [...X[k]];
    for (let k = equal; k < equal + near; k++) X[299 - k] = X[k].map((value) => value + 1e-4 * (random.random() - 0.5));
    const merged = await mergeDuplicates(X);
    expect(merged).toMatchObject({ clusters: { count: equal + near, largest: 2 }, notes: [] });
    for (const check of [duplicateRows, nearDuplicates]) {
      const { splitter, groups } = merged;
      expect(await judged(check, { X, data: { groups }, splitter })).toMatchObject({ status: 'passed' });
    }
    expect([...(await mergeDuplicates(X)).groups]).toEqual([...merged.groups]);
  });

  it('looks again until nothing is left', async () => {
    // Nearer copies hide the others: after a first look ten pairs are found in a second one.
    const random = randomSource(7);
    const X = Array.from({ length: 300 }, () => Array.from({ length: 6 }, () => random.random()));
    for (let k = 0; k < 30; k++) {
      X[299 - k] = X[k].map((value) => value + (k < 15 ? 1e-4 : 0.05) * (random.random() - 0.5));
    }
    const { groups, splitter } = await mergeDuplicates(X);
    expect(await judged(nearDuplicates, { X, data: { groups }, splitter })).toMatchObject({ status: 'passed' });
  });

  it('joins rows that are equal in all but one column', async () => {
    const X = noise(100, 9);
    for (let k = 0; k < 5; k++) X[99 - k] = [...X[k].slice(0, 5), X[99 - k][5]];
    const { clusters, groups } = await mergeDuplicates(X, { near: false });
    expect([clusters.count, groups[99]]).toEqual([5, groups[0]]);
  });

  it('leaves rows apart that coincide, and rows without content', async () => {
    // Three binary features: joining what is equal would join all patients through each other.
    const random = randomSource(3);
    const X = Array.from({ length: 200 }, () => [0.5, 0.3, 0.2].map((rate) => (random.random() < rate ? 1 : 0)));
    const groups = X.map((_, row) => row >> 1);
    const merged = await mergeDuplicates(X, { groups, near: false });
    expect(merged).toMatchObject({ nGroups: 100, clusters: { count: 0 } });
    expect(merged.notes).toEqual([expect.stringMatching(/^199 rows/)]);
    // What a patient repeats is together as it is: no word of it.
    const twice = X.map((_, row) => [row >> 1, 1]);
    const repeated = await mergeDuplicates(twice, { groups, near: false });
    expect(repeated).toMatchObject({ nGroups: 100, clusters: { count: 0, largest: 0 }, notes: [] });
    const empty = noise(30);
    empty[0] = empty[29] = new Array(6).fill(Number.NaN);
    const { nGroups, notes } = await mergeDuplicates(empty, { near: false });
    expect(nGroups).toBe(30);
    expect(notes).toEqual([expect.stringMatching(/^2 rows/)]);
  });

  it('leaves questionnaires of zeros apart, whether or not others are copies', async () => {
    const random = randomSource(15);
    const person = () => {
      const healthy = random.random() < 0.3;
      return Array.from({ length: 20 }, () => (healthy ? 0 : Math.floor(4 * random.random())));
    };
    const X = Array.from({ length: 300 }, person);
    const groups = X.map((_, row) => row >> 1);
    const zeros = X.filter((row) => row.every((item) => item === 0)).length;
    const apart = `${zeros} rows with an equal one were not joined: of so few values, or of a common pattern, they may coincide.`;
    expect(await mergeDuplicates(X, { groups, near: false })).toMatchObject({ nGroups: 150, notes: [apart] });
    const full = X.slice(0, 100).flatMap((row, at) => (row.some((item) => item > 0) ? [at] : []));
    const last = X.flatMap((row, at) => (at >= 200 && row.some((item) => item > 0) ? [at] : []));
    for (let at = 0; at < 15; at++) X[last[at]] = [...X[full[at]]];
    const { clusters, notes } = await mergeDuplicates(X, { groups, near: false });
    expect([clusters, notes]).toEqual([{ count: 15, largest: 2 }, [apart]]);
  });

  it('says when few groups are left', async () => {
    const X = noise(12);
    const groups = X.map((_, row) => (row < 9 ? 0 : row));
    const merged = await mergeDuplicates(X, { groups, near: false });
    expect(merged.nGroups).toBe(4);
    expect(merged.notes).toEqual([expect.stringMatching(/4 groups/), expect.stringMatching(/9 of 12 rows/)]);
    await expect(mergeDuplicates(X.slice(0, 9), { groups: groups.slice(0, 9), near: false })).rejects.toThrow(
      refusal('infeasible_split', '9 rows'),
    );
  });

  it('gives groups and a splitter that the validator takes as they are', async () => {
    const X = noise(40);
    X[39] = [...X[0]];
    const y = X.map(([a]) => (a > 0.5 ? 1 : 0));
    const merged = await mergeDuplicates(X, { y, near: false });
    const { leakageReport } = await new CVKitValidator({ metrics: ['accuracy'], nBootstrap: 100 }).validate({
      model: () => ({
        fit: () => undefined,
        predict: (rows: number[][]) => rows.map(([a]) => (a > 0.5 ? 1 : 0)),
      }),
      X,
      y,
      patientIds: merged.groups,
      cv: merged.splitter,
      verbose: 0,
    });
    expect(leakageReport?.checks.find(({ code }) => code === 'CVL002')?.status).toBe('passed');
  });

  it('reads a seed like everything else', async () => {
    const { code } = await mergeDuplicates(noise(30), { randomState: 'ward 7' });
    expect(code).toContain("randomState: 'ward 7'");
    const drawn = (await mergeDuplicates(noise(30), { randomState: null })).splitter.options.randomState;
    expect(drawn).toEqual(expect.any(Number));
  });

  it('says why no near-duplicates were joined', async () => {
    const { notes } = await mergeDuplicates(noise(15));
    expect(notes).toEqual([expect.stringMatching(/^No near-duplicates were joined\. \S/)]);
  });

  it('joins exactly what is connected', async () => {
    const pairs = fc.array(fc.tuple(fc.nat(19), fc.nat(19)), { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(pairs, async (near) => {
        const { groups } = await mergeDuplicates(noise(20), { near });
        // Reference: spread the lowest label along the pairs until nothing changes.
        const label = Array.from({ length: 20 }, (_, row) => row);
        for (let round = 0; round < 20; round++) {
          for (const [a, b] of near) label[a] = label[b] = Math.min(label[a], label[b]);
        }
        for (let a = 0; a < 20; a++) {
          for (let b = 0; b < a; b++) expect(groups[a] === groups[b]).toBe(label[a] === label[b]);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('changes nothing that it is given', async () => {
    const X = noise(8);
    const groups = X.map((_, row) => row);
    const before = JSON.stringify([X, groups]);
    await mergeDuplicates(X, { groups, near: [[0, 1]] });
    expect(JSON.stringify([X, groups])).toBe(before);
  });
});

describe('the groups of mergeDuplicates', () => {
  it('are no ids that CVL001 takes for unknown patients, however many and large they are', async () => {
    // One row stands eight times: that of group 0, 99 and 888 if they were counted from 0.
    for (const [n, place] of [
      [12, 0],
      [130, 99],
      [1200, 888],
    ]) {
      const X = noise(n, n);
      const rows = [...X, ...Array(7).fill(X[place])];
      const { groups, nGroups, splitter } = await mergeDuplicates(rows, { near: false });
      expect(nGroups).toBe(n);
      const folds = foldsOf(splitter, rows.length, null, { groups });
      const { evidence } = await patientOverlap.assess(checkInput({ folds, data: { groups } }));
      expect(evidence).toEqual({ patients: n, folds: folds.length });
    }
  });
});
