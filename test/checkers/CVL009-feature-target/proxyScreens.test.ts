import { describe, expect, it } from 'vitest';
import { featureTarget } from '../../../src/checkers/CVL009-feature-target/featureTarget.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { inWords, judged } from '../judged.js';

const splitter = new KFold({ nSplits: 5, shuffle: true, randomState: 3 });
const n = 400;
const noise = (seed: number) => Array.from({ length: n }, (_, row) => Math.sin(seed * (row + 1) ** 2));
const y = noise(1).map((value) => Number(value > 0.3));
const ill = y.flatMap((label, row) => (label ? [row] : []));
/** Three of five of the ill. */
const some = y.map((label, row) => label === 1 && ill.indexOf(row) % 5 < 3);
const share = some.filter(Boolean).length;
const judge = (cells: Record<string, (row: number) => unknown>, labels: unknown[] = y) =>
  judged(featureTarget, {
    X: y.map((_, row) => ({
      age: noise(2)[row],
      ...Object.fromEntries(Object.entries(cells).map(([k, cell]) => [k, cell(row)])),
    })),
    y: labels,
    splitter,
  });

describe('proxies', () => {
  it.each<[string, Record<string, (row: number) => unknown>, RegExp]>([
    ['a treatment', { t: (row) => Number(some[row]) }, /`t` \(its value 1 goes with y = 1 in /],
    [
      'a ward',
      { t: (row) => (some[row] ? 'hospice' : `w${row % 3}`) },
      /`t` \(its level 2 of 4 in order of frequency \(25 % of rows\) goes with y = 1 in /,
    ],
    ['being known', { t: (row) => (some[row] ? noise(3)[row] : null) }, /`t` \(having a value goes with y = 1 in /],
    [
      'being known, where a word stands for the others',
      { t: (row) => (some[row] ? noise(3)[row] : 'not done') },
      /`t` \(any level but .* goes with y = 1 in /,
    ],
    [
      'a dose',
      { t: (row) => (some[row] ? 1 + noise(3)[row] : 0) },
      /`t` \(any value but the commonest goes with y = 1 in /,
    ],
    [
      'a cap',
      { t: (row) => (y[row] || row % 7 === 0 ? (row * 31) % 364 : 365) },
      /`t` \(its highest value goes with y = 0 in /,
    ],
    [
      'dummies',
      Object.fromEntries(
        Array.from({ length: 8 }, (_, k) => [
          `c_${k}`,
          (row: number) => Number((some[row] ? row % 4 : 4 + (row % 4)) === k),
        ]),
      ),
      /`c_0` \(a 1 in 4 of 8 sibling columns, .*, goes with y = 1 in /,
    ],
  ])('asks about %s', async (_, cells, says) => {
    const result = await judge(cells);
    expect(result).toMatchObject({ status: 'needs_review', severity: 'medium' });
    expect(result.message).toMatch(says);
    expect(result.message).toContain('a consequence of the outcome (known only after it), or a true sign of it');
  });

  it('names the sibling columns that are meant, and says where none of them has a 1', async () => {
    const ward = (of: (row: number) => number, names: readonly string[], low = 0) =>
      Object.fromEntries(names.map((name, k) => [name, (row: number) => (of(row) === k ? 1 : low)]));
    const wards = ['surgery', 'medicine', 'palliative', 'mortuary'];
    const two = await judge(ward((row) => (some[row] ? 2 + (row % 2) : row % 2), wards));
    expect(two.message).toContain(
      '`palliative` (a 1 in 2 of 4 sibling columns, `palliative`, `mortuary`, goes with y = 1',
    );
    expect(two.message).not.toContain('`surgery`');
    // The first level has no column.
    const left = (row: number) => (some[row] ? [-1, 2][row % 2] : row % 2);
    for (const low of [0, -1]) {
      const { message } = await judge(ward(left, wards.slice(0, 3), low));
      expect(message).toContain(
        '`palliative` (no 1 in any of 3 sibling columns, or a 1 in `palliative`, goes with y = 1',
      );
      const none = await judge(ward((row) => (some[row] ? -1 : row % 3), wards.slice(0, 3), low));
      expect(none.message).toContain('`surgery` (no 1 in any of 3 sibling columns goes with y = 1');
    }
  });

  it('asks once about sibling columns that imply two of three classes', async () => {
    const classes = y.map((_, row) => row % 3);
    const code = (row: number) => {
      const at = Math.floor(row / 3);
      return classes[row] < 2 && at % 10 < 4 ? 7 * classes[row] + (at % 7) : 14 + (at % 3);
    };
    const levels = Array.from({ length: 17 }, (_, k) => [`c_${k}`, (row: number) => Number(code(row) === k)]);
    const { status, message } = await judge(
      Object.fromEntries(levels),
      classes.map((label) => `class ${label}`),
    );
    expect(inWords({ status, message })).toMatch(
      /^needs_review: 1 of 18 features has a value .*\(a 1 in 7 of 17 sibling columns, /,
    );
  });

  it('asks about the levels of a code together, as text or as dummies, and about a single one alone', async () => {
    // Three of eight levels are given to the ill alone: two of them to many.
    const code = (row: number) => (some[row] ? [0, 0, 0, 1, 1, 2][row % 6] : 3 + (row % 5));
    const text = await judge({ code: (row) => `c${code(row)}` });
    const dummies = (levels: readonly number[]) =>
      Object.fromEntries(levels.map((k) => [`c_${k}`, (row: number) => Number(code(row) === k)]));
    const split = await judge(dummies([0, 1, 2, 3, 4, 5, 6, 7]));
    expect(text.message).toMatch(new RegExp(`3 of its 8 levels .* in ${share} of ${share} rows`));
    expect(split.message).toMatch(
      new RegExp(`\\(a 1 in 3 of 8 sibling columns, .*, goes .* in ${share} of ${share} rows`),
    );
    expect(split.message).toMatch(/^1 of 9 features /);
    const single = (row: number) => (some[row] ? 0 : 1 + (row % 5));
    const one = await judge(
      Object.fromEntries([0, 1, 2, 3, 4, 5].map((k) => [`c_${k}`, (row: number) => Number(single(row) === k)])),
    );
    expect(one.message).toContain('`c_0` (its value 1 goes with y = 1 in');
  });

  it('gives the reason behind the feature that it is about', async () => {
    const { message } = await judge({
      p: (row) => Number(some[row]),
      q: (row) => Number(!y[row] && row % 5 < 3),
    });
    expect(message).toMatch(
      /: `([pq])` \(its value 1 goes with y = (0|1) in \d+ of \d+ rows, [\d.]+ % of that class\), `[pq]`\./,
    );
    expect(message.includes('`p` (') === message.includes('y = 1 in')).toBe(true);
  });

  it('says how much of the class it covers', async () => {
    const { message, evidence } = await judge({ t: (row) => Number(some[row]) });
    const percent = Number(((100 * share) / ill.length).toPrecision(3));
    expect(message).toContain(`in ${share} of ${share} rows, ${percent} % of that class`);
    expect(evidence.examples).toMatchObject([
      { feature: 't', kind: 'level', units: share, inClass: share, class: 'y = 1' },
    ]);
  });

  it('asks about a value of numbers that a level implies', async () => {
    const costs = y.map((label, row) => (label ? 0 : Math.exp(noise(4)[row])));
    expect((await judge({ t: (row) => Number(some[row]) }, costs)).message).toContain('goes with y = 0 in');
  });

  it('asks about the ten commonest values of numbers, and about no others', async () => {
    // Ten values of 52 rows, and two of 40.
    const value = Array.from({ length: 600 }, (_, row) => (row < 520 ? row % 10 : 10 + (row % 2)));
    const asked = (at: number) =>
      judged(featureTarget, {
        X: value.map((each, row) => ({ age: Math.sin(3 * (row + 1) ** 2), t: Number(each === at) })),
        y: value.map((each) => each + 0.25),
        splitter,
      });
    expect((await asked(4)).message).toContain('`t` (its value 1 goes with y = 4.25 in 52 of 52 rows');
    expect((await asked(11)).status).toBe('passed');
  });

  it('asks about a copy with errors of 2 %', async () => {
    const result = await judge({ t: (row) => (row % 50 === 0 ? 1 - y[row] : y[row]) });
    expect(result.status).toBe('needs_review');
    expect(result.message).toContain('(y follows from it in 392 of 400 rows)');
  });

  it('does not print what may be the number of a patient', async () => {
    const ids = await judge({ t: (row) => (some[row] ? 7777 : row % 40) });
    expect(ids.message).toContain('its highest value');
    expect(JSON.stringify(ids)).not.toContain('7777');
  });
});
