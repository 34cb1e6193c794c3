/** Whole programs as users write them from the README, run on the built package: each in a process of its own. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { beforeAll, expect, it } from 'vitest';
import { needDist } from '../meta/dist.js';
import { ROOT } from '../meta/program.js';

const FOLDER = join(ROOT, 'test/journeys');
const MINUTE = 60_000;
const run = promisify(execFile);

beforeAll(needDist);

/** What a program printed, and the facts in its last line. */
async function outcome(args: string[]): Promise<{ text: string; facts: Record<string, never> }> {
  const { stdout } = await run(process.execPath, args, { cwd: ROOT, timeout: 2 * MINUTE });
  const lines = stdout.trimEnd().split('\n');
  return { text: lines.slice(0, -1).join('\n'), facts: JSON.parse(lines[lines.length - 1]) };
}
const journey = (name: string) => outcome([join(FOLDER, name)]);

/** A number of the library beside the same that the program computed by hand. */
function bothClose(pair: [number, number]) {
  expect(pair[0]).toBeCloseTo(pair[1], 12);
}

/** What `tsc --strict` says of a program, the library's own types included. */
function problemsOf(name: string): string[] {
  const program = ts.createProgram([join(FOLDER, name)], {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
  });
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file: at }) => {
    return `${at?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

/** A program of TypeScript without its types. */
function javascriptOf(name: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  return ts.transpileModule(readFileSync(join(FOLDER, name), 'utf8'), { compilerOptions }).outputText;
}

interface Known {
  gaps: Record<string, number>;
  patients: number;
  positive: number;
}
type Check = { valid: boolean; entries: number; firstBroken: number | null };
interface Trail extends Record<'verified' | 'forged' | 'withHead' | 'withoutHead', Check> {
  chained: boolean;
  events: string[];
}
interface Verdict {
  text: string;
  message: string;
  advice: string | null;
  sharedRows: number;
  sharedPatients: number;
  lower: number;
}
type Designs<T> = Record<'KFold' | 'GroupKFold', T>;
interface Study extends Record<'neighbours' | 'logistic', Designs<number>> {
  trueAuc: number;
  knowing: number;
  sampled: number;
  gaps: number[];
  verdicts: Designs<Verdict>;
}

it(
  'a compiled CNN with early stopping on images of patients',
  async () => {
    const { text, facts } = await journey('compiledCnn.mjs');
    expect(facts).toMatchObject({ method: 'StratifiedGroupKFold', leftTensors: 0, json: false });
    expect(facts.status).not.toBe('failed');
    expect(facts.auc).toBeGreaterThan(0.9);
    for (const epochs of facts.epochs as number[]) expect(epochs).toBeLessThanOrEqual(30);
    expect(Math.max(...(facts.fitted as number[]))).toBeLessThan(120);
    expect(text).toMatch(/Data +180 rows of 60 patients, each 28 x 28 x 1/);
    expect(text).toMatch(/(\d+ of )?30 epochs, adam, learning rate 0\.05,\s+binaryCrossentropy, batches of 16/);
    expect(text).toMatch(/Training +\d+( to \d+)? rows in each fold; \d+( to \d+)?\s+more\s+were\s+watched/);
  },
  2 * MINUTE,
);

it(
  'a network whose models are kept: by fold, together, and trained on all rows',
  async () => {
    const { text, facts } = await journey('keptNetwork.mjs');
    expect(facts).toMatchObject({ status: 'passed', leftTensors: 0, noModel: true, external: false });
    // The models that were kept say what the table of predictions says, up to 32-bit numbers in other batches.
    expect(facts.difference).toBeLessThan(1e-5);
    for (const gap of [...facts.ensemble, ...facts.again] as number[]) expect(gap).toBeLessThan(1e-6);
    bothClose(facts.auc);
    bothClose(facts.accuracy);
    // The kept epoch is the one with the smallest loss on the watched rows; three more without a better one end the fold.
    expect(facts.kept).toEqual(facts.best);
    expect(facts.epochs).toEqual((facts.best as number[]).map((epoch) => Math.min(60, epoch + 1 + 3)));
    for (const [train, fitted, watched] of facts.fitted as number[][]) {
      expect(fitted + watched).toBe(train);
      expect(Math.abs(watched - 0.2 * train)).toBeLessThanOrEqual(1);
    }
    const epochs = facts.epochs as number[];
    expect(text).toContain(`${Math.min(...epochs)} to ${Math.max(...epochs)} of 60 epochs`);
    expect(facts.note).toContain('no test of this model');
  },
  MINUTE,
);

it(
  'a table of patients from a CSV file: advice, evidence, trail and reports',
  async () => {
    const { text, facts } = await journey('patientTable.mjs');
    const { known } = facts as unknown as { known: Known };
    // What was written is what was read.
    expect(facts.missing).toMatchObject({ ...known.gaps, smoker: 0 });
    expect(facts.columns).toEqual(['age', 'marker', 'stage', 'smoker']);
    expect(text).toContain(`Data      ${facts.rows} rows of ${known.patients} patients, 4 features`);
    expect(text).toContain(`has ${known.positive} rows (${((100 * known.positive) / facts.rows).toFixed(1)} %)`);
    expect(facts.method).toEqual(['stratified_group_kfold', 'purged_group_time_series_split', 'temporal']);
    expect(facts.mixed[0]).toEqual([expect.stringContaining(`${facts.mixed[1]} of ${known.patients} patients`)]);
    // Every patient in one fold, every row tested once with its own label.
    expect(facts).toMatchObject({ status: 'passed', labels: true, whole: known.patients });
    for (const name of ['auc', 'sensitivity', 'specificity', 'accuracy']) bothClose(facts[name]);
    expect(facts.interval).toMatchObject({ unit: 'patient', nUnits: known.patients, estimand: 'procedure' });
    const { lower, upper } = facts.interval as { lower: number; upper: number };
    expect(lower).toBeLessThan(facts.auc[0]);
    expect(upper).toBeGreaterThan(facts.auc[0]);
    expect(facts.distributions).toEqual(facts.counted);
    // The trail, whose chain was computed again, and what was done to it.
    const { verified, forged, withHead, withoutHead, chained, events } = facts.trail as unknown as Trail;
    expect(chained).toBe(true);
    expect(verified).toMatchObject({ valid: true, entries: 2 + 2 * 5 });
    expect(forged).toMatchObject({ valid: false, firstBroken: 0 });
    expect(withHead).toMatchObject({ valid: false, firstBroken: verified.entries - 1 });
    expect(withoutHead).toMatchObject({ valid: true, entries: verified.entries - 1 });
    expect(events).toEqual(['start', ...Array(5).fill(['fold_start', 'fold_end']).flat(), 'end']);
    expect(facts.trailScores).toBe(facts.auc[0]);
    expect(facts.who).toEqual(['E. Pidemiologist', 'internal validation']);
    const [recorded, computed, inTrail] = facts.hashes as unknown as Record<string, string>[];
    expect(recorded).toMatchObject(computed);
    expect(inTrail).toEqual(recorded);
    expect(new Set(facts.fileHash as string[]).size).toBe(1);
    // The evidence: counts agree with the items, places exist, and the sentence on failures with the predictions.
    const [[found, missed], [right, alarms]] = facts.decisions as number[][];
    let open = 0;
    for (const [checklist, counts, states] of facts.evidence as unknown as [string, string, string[]][]) {
      const [filled, part, author] = ['filled', 'in part', 'author'].map(
        (state) => states.filter((own) => own === state).length,
      );
      expect(counts).toBe(
        `${filled} filled, ${part} in part and ${author} left to the author, of ${states.length} items`,
      );
      expect(text.replace(/\s+/g, ' ')).toContain(`${checklist}: ${counts}`);
      open += author;
    }
    expect(facts.open).toEqual([open, open]);
    expect(facts.nowhere).toEqual([]);
    for (const told of facts.told as string[]) {
      expect(told.match(/\d+/g)?.map(Number)).toEqual([missed + alarms, facts.rows, found, missed, right, alarms]);
    }
    // No id of a patient in any report, and nothing that a page would load.
    expect(facts.ids).toEqual([false, false, false, false]);
    expect(facts.scripts).toBe(false);
  },
  MINUTE,
);

it(
  'a frozen ONNX network on PNG files of patients from three hospitals',
  async () => {
    const { text, facts } = await journey('onnxImages.mjs');
    expect(facts).toMatchObject({ shape: [28, 28, 1], status: 'not_fully_verified', whole: 120, ids: false });
    expect(facts.text).toContain('may have been trained on these rows');
    // The runtime alone, fed by hand with the pixels that were written.
    expect(facts.layers).toBeLessThan(1e-6);
    expect(facts.sha256[0]).toBe(facts.sha256[1]);
    for (const name of ['auc', 'sensitivity', 'brier']) bothClose(facts[name]);
    // One model for all folds: the threshold of a fold finds 90 of 100 positives of the other folds.
    expect(facts.thresholds).toEqual(facts.ranked);
    expect(facts.interval).toMatchObject({ unit: 'patient', nUnits: 120, estimand: 'predictions' });
    expect(facts.sites).toEqual(
      ['Ost', 'Süd', 'West'].map((site, at) => [site, 80, 40, expect.closeTo(facts.bySite[at], 12)]),
    );
    expect(text).toMatch(/site West +40 +80 +40/);
    expect(text).toContain('not trained: an ONNX model can');
  },
  MINUTE,
);

it(
  'what KFold promises and GroupKFold keeps, on generated patients',
  async () => {
    const { text, facts } = await journey('studyOfDesigns.mjs');
    const { trueAuc, knowing, sampled, neighbours, logistic, gaps, verdicts } = facts as unknown as Study;
    // Of 60,000 patients with one row each; the standard error of such an AUC is near 0.0025 (Hanley and McNeil 1982).
    expect(Math.abs(sampled - trueAuc)).toBeLessThan(0.01);
    expect(Math.abs(facts.prevalence - 0.3)).toBeLessThan(4 * Math.sqrt((0.3 * 0.7) / 60_000));
    expect(facts.recorded).toEqual([trueAuc]);
    // Nothing scores more than the true AUC for new patients, so what does is a leak.
    expect(neighbours.KFold).toBeGreaterThan(trueAuc);
    expect(neighbours.KFold).toBeLessThan(knowing);
    expect(neighbours.GroupKFold).toBeLessThan(trueAuc);
    expect(logistic.GroupKFold).toBeLessThan(trueAuc);
    expect(logistic.GroupKFold).toBeGreaterThan(neighbours.GroupKFold);
    expect(Math.min(...gaps)).toBeGreaterThan(0.1);
    // The validator finds what was counted by hand.
    const { KFold, GroupKFold } = verdicts;
    expect(KFold).toMatchObject({ status: 'failed', types: expect.arrayContaining(['patient']) });
    expect(KFold.text).toContain(`${KFold.sharedRows} of 800 rows`);
    expect(KFold.message).toContain(`${KFold.sharedPatients} of 160 patients`);
    expect(KFold.advice).toContain('StratifiedGroupKFold');
    expect(GroupKFold).toMatchObject({ status: 'passed', types: [], sharedRows: 0, advice: null });
    expect(GroupKFold.lower).toBeLessThan(trueAuc);
    expect(text).toContain('FAILED: CVL001 patient');
  },
  MINUTE,
);

it('encounters of patients as records with text columns', async () => {
  const { text, facts } = await journey('groupedEncounters.mjs');
  expect(facts).toMatchObject({ splitter: 'StratifiedGroupKFold', rawIds: false, named: true });
  expect(facts.auc).toBeGreaterThan(0.6);
  expect(facts.interval).toMatchObject({ unit: 'patient', nUnits: 150, estimand: 'procedure' });
  expect(text).toContain('of 150 patients, 3 features');
  // clinical() repeats the estimates of the summary.
  const sensitivity = facts.sensitivity as number;
  expect(text).toMatch(new RegExp(`sensitivity(?: \\*)? +${sensitivity.toFixed(3)}`));
  expect(text).toMatch(new RegExp(`Sensitivity +${(100 * sensitivity).toFixed(1)} %`));
});

it('a forest of mljs in a wrapper, and an adapter for another library', async () => {
  const { facts } = await journey('forestAndAdapter.mjs');
  expect(facts).toMatchObject({ adapter: 'centroids', positive: 'case' });
  expect(facts.forest).toBeGreaterThan(0.8);
  expect(facts.auc).toBeGreaterThan(0.9);
  expect(facts.accuracy).toBeGreaterThan(0.8);
});

it(
  'models of every kind that can be saved predict in a new process what they did, bit for bit',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cvkit-saved-'));
    try {
      const at = (what: string) => outcome([join(FOLDER, 'savedModels.mjs'), what, folder]);
      const kinds = Object.keys((await at('save')).facts);
      expect(kinds).toHaveLength(10);
      // The model of all rows, the ensemble, two models of folds, and an ensemble that is made of these now.
      expect((await at('load')).facts).toEqual(Object.fromEntries(kinds.map((kind) => [kind, 5])));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  2 * MINUTE,
);

it('the habits of scikit-learn, under tsc --strict', async () => {
  expect(problemsOf('scikitHabits.ts')).toEqual([]);
  const { text, facts } = await outcome(['--input-type=module', '-e', javascriptOf('scikitHabits.ts')]);
  expect(facts.folds).toEqual(facts.byHand);
  expect(facts.three).toBe(3);
  // Folds of equal size: the share over all rows is the mean of the folds.
  expect(facts.accuracy).toBeCloseTo(facts.byHandMean, 12);
  expect(text).toContain('90 rows');
});

it(
  'a newcomer from Python with cvkit/snake, under tsc --strict and as JavaScript',
  async () => {
    // The types of TensorFlow.js itself do not compile without `skipLibCheck`, so that ours alone are asked.
    expect(problemsOf('newcomer.ts').filter((problem) => !problem.includes('node_modules'))).toEqual([]);
    const { text, facts } = await outcome(['--input-type=module', '-e', javascriptOf('newcomer.ts')]);
    expect(facts).toMatchObject({ level: 0.9, units: [569, 150], same: true, clinicalUnits: [150, 600] });
    // Folds of rows split patients who come back; the message names the field that was meant.
    expect(facts.leakage).toEqual({ has_leakage: true, leakage_types: ['patient'] });
    expect(facts.mistaken).toContain('`has_leakage`');
    expect(text).toContain(`${facts.shared} of 150 patients are in both sets`);
    expect(text).toContain(`${facts.sharedRows} of 200 test rows`);
    const [sensitivity, specificity] = facts.counted as number[];
    expect(facts.clinical).toEqual([sensitivity, specificity, sensitivity].map((share) => expect.closeTo(share, 12)));
    expect(text).toMatch(new RegExp(`Sensitivity +${(100 * sensitivity).toFixed(1)} %`));
    // Hooks in snake_case were called in order, and what they returned was heeded.
    expect(facts.seen).toEqual(
      [0, 1, 2].flatMap((fold) => [`fold-${fold} of 3`, expect.stringMatching(`fold-${fold} accuracy 0\\.\\d+`)]),
    );
    expect(facts.epochs).toEqual([5, 5, 5]);
    expect([0.001, 0.1, 10]).toContain((facts.best as { C: number }).C);
    expect(facts.estimate).toBeCloseTo(
      (facts.outer as number[]).reduce((sum, value) => sum + value / 3, 0),
      12,
    );
    // 569 rows in five folds: four of 114 and one of 113, from `split` and in the run alike.
    expect((facts.pairs as number[][]).map(([, test]) => test).sort()).toEqual([113, 114, 114, 114, 114]);
    expect(facts.trained).toEqual(facts.pairs);
  },
  2 * MINUTE,
);
