import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idQuestions } from '../../../src/checkers/CVL001-patient/patientOverlap.js';
import { checkInput } from '../../../src/checkers/checkInput.js';
import type { Label } from '../../../src/data/labels.js';
import { groupsOf, type SideData } from '../../../src/data/sideData.js';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';

function ask(ids: ArrayLike<unknown>, data: SideData = {}, revealIds = false) {
  const groups = ids as ArrayLike<Label>;
  const folds = foldsOf(new KFold({ nSplits: 2 }), groups.length, undefined, {});
  return idQuestions(groupsOf(groups, groups.length), checkInput({ folds, data: { groups, ...data }, revealIds }));
}
const list = <T>(length: number, make: (at: number) => T) => Array.from({ length }, (_, at) => make(at));
/** 60 patients of two rows; the first eight are `id`. */
const shared = (id: Label, idOf: (patient: number) => Label) =>
  list(120, (row) => (row % 60 < 8 ? id : idOf(row % 60)));
const numbered = (patient: number) => `P${patient}`;

describe('idQuestions', () => {
  it.each(['unknown', 'n/a', 'N.A.', 'NULL', '?', '???', 'Missing', 'not available', 'xxx', '-', 'None'])(
    'asks about rows that share the id %s',
    (id) => {
      const { notes, evidence, merged } = ask(shared(id, numbered));
      expect([evidence, merged]).toEqual([{ placeholderRows: 16 }, undefined]);
      expect(notes[0].replace(/#\w+/, '#')).toBe(
        '16 rows share the id #, which reads like a placeholder, and count as one patient.',
      );
    },
  );

  it.each<[Label, (patient: number) => Label]>([
    [0, (patient) => patient],
    [-1, (patient) => patient],
    [999, (patient) => patient],
    ['0', (patient) => String(patient)],
    ['999', (patient) => String(1000 + patient)],
    ['NA', numbered],
  ])('asks about %s where it has many rows, and not where it has few', (id, idOf) => {
    expect(ask(shared(id, idOf)).evidence).toEqual({ placeholderRows: 16 });
    const few = list(120, (row) => (row % 60 === 8 ? id : idOf(row % 60)));
    expect(ask(few).notes).toEqual([]);
  });

  it('asks about a number beside the same one with an exponent', () => {
    // 30 patients in their own spelling, and five of them again as a spreadsheet shows round numbers.
    const ids = list(35, (row) => (row < 30 ? String((row + 1) * 100_000) : `${row - 29}E5`));
    expect(ask(ids).evidence).toMatchObject({ respelled: 5 });
    expect(ask(['1.5e6', '1500000', '1500001']).evidence).toMatchObject({ respelled: 1 });
    expect(ask(['1E5', '2E7', '3B4', '100001']).evidence).toEqual({});
  });

  it('asks about numbers that hold several ids as one', () => {
    expect(ask(list(30, (row) => 1e17 + 16 * row)).evidence).toEqual({ inexact: 30 });
    expect(ask(Float32Array.from({ length: 30 }, (_, row) => 123_456_789 + 1001 * row)).evidence).toEqual({
      inexact: 30,
    });
    expect(ask(list(30, (row) => `1.${23_456 + row}E+17`)).notes).toEqual([
      '30 ids are written as spreadsheets shorten long numbers, so that several patients may have become one.',
      'The number of patients and the intervals depend on it.',
    ]);
    for (const ids of [
      list(30, (row) => 2n ** 60n + BigInt(row)),
      list(30, (row) => 123_456_789 + row),
      list(30, (row) => 20_000_000 + 10 * row + (row % 2)),
      list(9, (row) => 2e7 + 2 * row),
      list(30, (row) => 1e300 * (row + 1)),
      list(30, (row) => row + 0.5),
    ]) {
      expect(ask(ids).notes).toEqual([]);
    }
  });

  it('says how many patients would join, and names no id unless it may', () => {
    const ids = list(120, (row) => (row < 60 ? `Miller${row}` : `miller-${row - 60} `));
    const found = ask(ids);
    expect(found.merged?.count).toBe(60);
    expect(found.evidence.respelled).toBe(60);
    expect(found.evidence.alike).toHaveLength(5);
    expect(found.notes.join(' ')).toContain('60 patients would join another, which makes 60 in place of 120.');
    expect(JSON.stringify(found.notes) + JSON.stringify(found.evidence)).not.toMatch(/miller/i);
    expect(ask(ids, {}, true).notes[0]).toContain('such as Miller0 of row 0 and miller-0  of row 60.');
  });

  it('takes patients of different sites for different patients', () => {
    const ids = list(40, (row) => (row < 20 ? `${row}` : `S2-${row - 20}`));
    expect(ask(ids).evidence.prefixed).toBe(20);
    expect(ask(ids, { hierarchy: { site: list(40, (row) => Number(row < 20)) } }).notes).toEqual([]);
    expect(ask(list(40, numbered), { hierarchy: { site: list(40, (row) => row % 2) } }).notes).toEqual([]);
    // Of one site they may be one.
    expect(ask(ids, { hierarchy: { site: list(40, () => 1) } }).evidence.prefixed).toBe(20);
  });

  it('is silent about numbered ids of any prefix, width and step', () => {
    const series = fc.record({
      prefix: fc.constantFrom('', 'P', 'pat-', 'S01-', 'site_', '12/', '#'),
      width: fc.integer({ min: 1, max: 6 }),
      step: fc.integer({ min: 1, max: 13 }),
      from: fc.integer({ min: 1, max: 2000 }),
    });
    fc.assert(
      fc.property(series, ({ prefix, width, step, from }) => {
        expect(ask(list(60, (at) => prefix + String(from + step * at).padStart(width, '0'))).notes).toEqual([]);
      }),
    );
  });

  it.each<[string, ArrayLike<unknown>]>([
    ['two rows', ['a', 'b']],
    ['one id in all rows', list(40, () => 'P1')],
    ['a placeholder alone', list(40, () => 0)],
    ['booleans', list(40, (row) => row % 2 === 0)],
    ['mixed kinds', list(40, (row) => [row, `x${row}`, row % 2 === 0][row % 3])],
    ['signs', list(40, (row) => '*'.repeat(1 + row))],
  ])('survives %s', (_, ids) => {
    expect(ask(ids as ArrayLike<unknown>).notes).toEqual([]);
  });
});
