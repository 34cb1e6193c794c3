/**
 * What the checks say. The page to review is `__snapshots__/messages.test.ts.snap`: one row per sentence. Other tests of
 * this room assert status, evidence, codes and facts.
 */
import { expect, it } from 'vitest';
import { BalanceChecker } from '../../src/checkers/balanceChecker.js';
import { classBalance } from '../../src/checkers/CVB001-class-balance/classBalance.js';
import { patientOverlap } from '../../src/checkers/CVL001-patient/patientOverlap.js';
import { duplicateRows } from '../../src/checkers/CVL002-duplicate/duplicateRows.js';
import { nearDuplicates } from '../../src/checkers/CVL003-near-duplicate/nearDuplicates.js';
import { searchPictures } from '../../src/checkers/CVL003-near-duplicate/pictures/searchPictures.js';
import { temporalOrder } from '../../src/checkers/CVL004-temporal/temporalOrder.js';
import { spatialProximity } from '../../src/checkers/CVL006-spatial-proximity/spatialProximity.js';
import { hierarchyOverlap } from '../../src/checkers/CVL008-hierarchical/hierarchyOverlap.js';
import { checkHierarchicalLeakage } from '../../src/checkers/CVL008-hierarchical/idsOnBothSides.js';
import { featureTarget } from '../../src/checkers/CVL009-feature-target/featureTarget.js';
import { assessPreprocessing } from '../../src/checkers/CVL010-preprocessing/assessPreprocessing.js';
import { preprocessing } from '../../src/checkers/CVL010-preprocessing/preprocessing.js';
import { identifierColumns } from '../../src/checkers/CVL011-identifier/identifierColumns.js';
import { siteConfounding } from '../../src/checkers/CVL012-site-confounding/siteConfounding.js';
import type { Check } from '../../src/checkers/check.js';
import type { Design } from '../../src/checkers/checkOptions.js';
import { DataLeakageChecker } from '../../src/checkers/dataLeakageChecker.js';
import { readFeatures } from '../../src/checkers/features/features.js';
import { mergeDuplicates } from '../../src/checkers/mergeDuplicates.js';
import { registerCheck, unregisterCheck } from '../../src/checkers/registry.js';
import { randomSource } from '../../src/core/random.js';
import type { LabelsInput } from '../../src/data/labels.js';
import type { RowsInput } from '../../src/data/rows.js';
import { rowsOf } from '../../src/data/rows.js';
import type { SideData } from '../../src/data/sideData.js';
import { TwoSets } from '../../src/runner/twoSets.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { HierarchicalGroupKFold } from '../../src/splitters/grouped/hierarchicalGroupKFold.js';
import { LeaveOneGroupOut } from '../../src/splitters/grouped/leaveOneGroupOut.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../src/splitters/iid/loocv.js';
import { PredefinedSplit } from '../../src/splitters/iid/predefinedSplit.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import type { Splitter } from '../../src/splitters/splitter.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { texts } from '../helpers/messages.js';
import { NearestMean } from '../helpers/nearestMean.js';
import { nearDuplicatesScenes } from './CVL003-near-duplicate/nearDuplicates.scenes.js';
import { scenery, shot } from './CVL003-near-duplicate/pictures/scenes.js';
import { preprocessingScenes } from './CVL010-preprocessing/preprocessing.scenes.js';
import { identifierColumnsScenes } from './CVL011-identifier/identifierColumns.scenes.js';
import { siteConfoundingScenes } from './CVL012-site-confounding/siteConfounding.scenes.js';
import { judged } from './judged.js';

/** Status, message and way out, by folds or by hand: the fold that tests each row. Pseudonyms differ between reports. */
const says = (
  check: Check,
  folds: Splitter | number[],
  n: number,
  data: SideData,
  design?: Design,
  y?: LabelsInput,
) => {
  const splitter = Array.isArray(folds) ? new PredefinedSplit({ testFold: folds }) : folds;
  return async () => {
    const X = Array.from({ length: n }, (_, row) => [row]);
    const result = await judged(check, { X, splitter, data, ...(design && { design }), ...(y && { y }) });
    return `${result.status}: ${result.message} ${result.fix}`.trim().replace(/#[0-9a-f]{8}/g, '#');
  };
};
const rows = (n: number) => Array.from({ length: n }, (_, row) => [row, Math.sin(row * 7.3), Math.cos(row ** 2)]);
const nothing = null as never;

it('patients and hierarchies', async () => {
  const site = ['N', 'N', 'N', 'N', 'S', 'S', 'S', 'S'];
  const patient = ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd'];
  const visit = ['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'd1', 'd2'];
  const numbers = [1, 2, 1, 2, 1, 2, 1, 2];
  const scanner = site.map(() => 'A');
  const none = site.map(() => nothing);
  const known = (...ids: number[]) => site.map((id, row) => (ids.includes(row) ? id : nothing));
  const whole = [0, 0, 1, 1, 0, 0, 1, 1];
  const torn = [0, 1, 1, 1, 0, 0, 1, 1];
  const bySite = [0, 0, 0, 0, 1, 1, 1, 1];
  const levels = (folds: Splitter | number[], data: SideData, design?: Design) =>
    says(hierarchyOverlap, folds, 8, data, design);
  const sets = (train: number) => async () => {
    const splitter = new TwoSets({ train, test: 8 - train });
    const X = rows(8);
    return (await judged(hierarchyOverlap, { X, data: { hierarchy: { site, patient } }, splitter, trainRows: train }))
      .message;
  };
  const moved = ['N', 'S', ...site.slice(2)];
  const ids = (groups: string[]) => says(patientOverlap, new KFold({ nSplits: 2 }), 4, { groups });
  expect(
    await texts({
      'whole patients': levels(whole, { hierarchy: { site, patient, visit } }),
      'torn patients': levels(torn, { hierarchy: { site, patient, visit } }),
      'torn groups beside a site': levels(torn, { groups: patient, hierarchy: { site } }),
      'a level that is the patients': levels(torn, { groups: patient, hierarchy: { Patient: patient } }),
      'codes that are the patients': levels(torn, { groups: patient, hierarchy: { code: patient } }),
      'shared sites, deployment': levels(whole, { hierarchy: { site, patient } }, 'deployment'),
      'levels of unknown names': levels(whole, { hierarchy: { a: site, b: patient } }),
      'levels of unknown names, deployment': levels(whole, { hierarchy: { a: site, b: patient } }, 'deployment'),
      'levels of unknown names with groups': levels(whole, { groups: visit, hierarchy: { a: site, b: patient } }),
      'whole scans, patients unknown': levels(
        new HierarchicalGroupKFold({ nSplits: 2, hierarchyLevel: 'scan', randomState: 1 }),
        {
          hierarchy: { site, scan: patient },
        },
      ),
      'a patient at two sites': levels(
        new LeaveOneGroupOut(),
        { groups: moved, hierarchy: { site: moved, patient } },
        'deployment',
      ),
      'visit numbers': levels(whole, { hierarchy: { patient, visit: numbers } }, 'deployment'),
      'levels in reverse order': levels(whole, { groups: patient, hierarchy: { visit: numbers, patient, site } }),
      'a slice of two patients': levels(whole, { hierarchy: { patient, slice: visit.with(2, 'a1') } }),
      'a site alone': levels(whole, { hierarchy: { site } }),
      'one scanner': levels(whole, { hierarchy: { scanner, patient } }),
      'one scanner, deployment': levels(whole, { hierarchy: { scanner, patient } }, 'deployment'),
      'patient before ward': levels(whole, { hierarchy: { patient, ward: site } }),
      'two sets': sets(4),
      'two sets that share a patient': sets(3),
      'no site known, deployment': levels(whole, { groups: patient, hierarchy: { site: none } }, 'deployment'),
      'no site known, torn': levels(torn, { groups: patient, hierarchy: { site: none } }, 'deployment'),
      'no site known, no patients': levels(whole, { hierarchy: { site: none } }, 'deployment'),
      'half of the sites known': levels(
        bySite,
        { groups: patient, hierarchy: { site: known(0, 2, 4, 6) } },
        'deployment',
      ),
      'few sites known': levels(bySite, { groups: patient, hierarchy: { site: known(0, 2, 4) } }, 'deployment'),
      'one site known, shared': levels(whole, { groups: patient, hierarchy: { site: known(0, 2) } }, 'deployment'),
      'one site known': levels(whole, { groups: patient, hierarchy: { site: known(0, 2) } }),
      'few lesions known': levels(whole, { hierarchy: { patient, lesion: ['x', 'y', ...none.slice(2)] } }),
      'no subject known': levels([0, 0, 0, 1, 1, 1, 1, 1], { hierarchy: { site, subject_id: none } }, 'deployment'),
      'one id in two spellings on both sides': ids(['p7', 'p9', 'P7 ', 'p6']),
      'one id in two spellings on one side': ids(['p8', 'p 8', 'p6', 'p7']),
      'one id in two spellings and torn': ids(['p8', 'P8', 'p8', 'p7']),
    }),
  ).toMatchSnapshot();
});

it('order in time', async () => {
  const order = (testFold: number[], data: SideData, design?: Design) =>
    says(temporalOrder, testFold, testFold.length, data, design);
  const timestamps = ['2024-01-01', '2024-01-10', '2024-01-12', '2024-02-09', '2024-01-10', '2024-01-20'];
  const times = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  expect(
    await texts({
      'later and tied rows': order([-1, -1, -1, -1, 0, 0], { timestamps }, 'prospective'),
      'a label known late': order([-1, -1, 0], { timestamps: [1, 2, 4], labelEndTimes: [1, 5, 6] }, 'prospective'),
      'no order asked': order([0, -1, -1], { timestamps: [1, 2, 3] }),
      'no order asked, in order': order([-1, -1, 0], { timestamps: [1, 2, 3] }, 'deployment'),
      'leave-one-out': says(temporalOrder, new LOOCV(), 10, { timestamps: times }, 'prospective'),
    }),
  ).toMatchSnapshot();
});

it('balance of classes', async () => {
  const balance = (y: readonly (string | number)[], splitter: Splitter = new KFold({ nSplits: 4 })) =>
    says(classBalance, splitter, y.length, {}, undefined, y);
  const y = (n: number, label: (row: number) => string | number) =>
    Array.from({ length: n }, (_, row) => label(row)) as string[];
  const checker = new BalanceChecker();
  expect(
    await texts({
      passed: balance(y(40, (row) => ((row < 10 ? row % 2 : row % 5 === 0) ? 'ill' : 'healthy'))),
      'a class that is not trained on': balance(y(40, (row) => (row < 10 ? 'rare' : 'ab'[row % 2]))),
      'a class that is not tested': balance(y(40, (row) => Number(row >= 10 && row % 2 === 0))),
      'a rare class': balance(
        y(200, (row) => Number(row % 20 === 0)),
        new StratifiedKFold({ nSplits: 5 }),
      ),
      'continuous numbers': () => checker.checkClassBalance([0.5, 1.5]),
      masks: () => checker.checkClassBalance([[[0, 1]], [[1, 1]]]),
      'a missing label': () => checker.checkClassBalance(['a', null]),
      'a NaN label': () => checker.checkClassBalance([0, Number.NaN]),
      'an unknown option': () => checker.checkClassBalance([0, 1], { group: [1, 2] } as object),
      'groups of other rows': () => checker.checkClassBalance([0, 1], { groups: [1] }),
      'a positive label that is no class': () => checker.checkClassBalance([0, 1], { positiveLabel: 2 }),
      'a positive label of three': () => checker.checkClassBalance([0, 1, 2], { positiveLabel: 2 }),
      'a threshold of 0': () => new BalanceChecker({ threshold: 0 }),
      'no splitter': () => checker.checkCvBalance(rows(2), [0, 1], {} as KFold),
      'too few names': () => checker.checkFeatureDistribution([[1, 2]], { featureNames: ['one'] }),
    }),
  ).toMatchSnapshot();
});

/** Status, message and way out of a scene. */
const found = (check: Check, scene: Parameters<typeof judged>[1]) => async () => {
  const { status, message, fix } = await judged(check, scene);
  return `${status}: ${message} ${fix}`.trim();
};
const unordered = (seed: number, n: number) => Array.from({ length: n }, (_, row) => Math.sin(seed * (row + 1) ** 2));

it('features that are ids, or give y away', async () => {
  const splitter = new KFold({ nSplits: 5, shuffle: true, randomState: 3 });
  const patients = identifierColumnsScenes.leaking.X as Record<string, number>[];
  const ids = (X: RowsInput, rest: object = {}) => found(identifierColumns, { X, splitter, ...rest });
  const random = randomSource(2);
  const measured = () => Array.from({ length: 4 }, () => random.random());
  const cases = Array.from({ length: 100 }, (_, row) => ({ case_id: `C-${4711 + (row % 25)}`, ...measured() }));
  const caseLabels = cases.map((_, row) => Number((row % 25) % 3 === 0));
  const y = unordered(1, 150).map((value) => Number(value > 0));
  const three = unordered(1, 150).map((value) => (value > 0.5 ? 'c' : value < -0.5 ? 'a' : 'b'));
  const target = (columns: unknown[][], labels: LabelsInput = y, rest: object = {}) =>
    found(featureTarget, {
      X: columns[0].map((_, row) => columns.map((each) => each[row])),
      y: labels,
      splitter,
      ...rest,
    });
  const rare = unordered(1, 400).map((_, row) => Number(row % 5 === 0));
  const levels = (labels: unknown[]) => target([labels.map((_, row) => `level ${(row * 7) % 11}`)], labels as number[]);
  const lucky = unordered(6, 118).map((value, row) => (row % 2 ? 1 : -1) * (Math.abs(value) + 0.01));
  /** Every second image is dark along its first line, but for some. */
  const images = Array.from({ length: 200 }, (_, row) =>
    Array.from({ length: 16 }, (_, line) =>
      Array.from({ length: 16 }, (_, at) => {
        const cell = 256 * row + 16 * line + at;
        if (row % 2 && row % 20 > 5 && line === 0) return 10;
        return 10 + (1 + 0.3 * Math.sin(row ** 2)) * Math.sin(cell ** 2);
      }),
    ),
  );
  const ofPatient = y.map((_, row) => Math.floor(row / 15) % 2);
  expect(
    await texts({
      'a number of the patient': ids(patients),
      'three numbers of the patient': ids(
        patients.map((row) => ({ ...row, case_id: `c${row.number}`, mrn: row.number })),
      ),
      'a number of the patient under another name': ids(
        patients.map(({ number: code, ...rest }) => ({ ...rest, code })),
      ),
      'an id in text with one label': ids(cases, { y: caseLabels }),
      'a number of the row': ids(
        Array.from({ length: 40 }, (_, row) => ({ value: random.random(), order: (17 * row) % 40 })),
      ),
      'a copy of y': target([unordered(2, 150), y.map((label) => (label ? 'dead' : 'alive'))]),
      'a copy of y by what is missing': target([
        unordered(2, 150),
        unordered(3, 150).map((value, row) => (y[row] ? value : null)),
      ]),
      'a copy of one class of three': target([unordered(2, 150), three.map((label) => Number(label === 'b'))], three),
      'a copy that may be luck': target(
        [unordered(2, 118), lucky],
        lucky.map((_, row) => row % 2),
      ),
      'no copy, 400 rows': levels(rare),
      'no copy, 100 rows': levels(rare.slice(0, 100)),
      'no copy, eight classes': levels(rare.map((_, row) => 'abcdefgh'[row % 8])),
      'ten rows': target([unordered(2, 10)], y.slice(0, 10)),
      'ten patients': target([ofPatient.map((label, row) => (label ? 5 : 0) + Math.floor(row / 15))], ofPatient, {
        data: { groups: y.map((_, row) => `patient ${Math.floor(row / 15)}`) },
      }),
      'a border of one class': found(featureTarget, { X: images, y: images.map((_, row) => row % 2), splitter }),
      'one class': target(
        [unordered(2, 150)],
        y.map(() => 1),
      ),
    }),
  ).toMatchSnapshot();
});

it('copies', async () => {
  const noise = (n: number) => rows(n).map(([, ...cells], row) => [...cells, Math.sin(row ** 2), Math.cos(row * 5.1)]);
  const copies = (X: RowsInput, given: object = {}) => {
    return async () => {
      const { status, message, fix } = await judged(duplicateRows, {
        X,
        splitter: new KFold({ nSplits: 2 }),
        ...given,
      });
      return `${status}: ${message} ${fix}`.trim();
    };
  };
  const copied = noise(40).with(30, noise(40)[3]).with(31, noise(40)[3]).with(39, noise(40)[5]);
  const counted = copied.map((cells, record) => ({ record, ...cells }));
  const empty = new Array(4).fill(Number.NaN);
  const pixels = noise(20).flatMap(([a, b], row) =>
    Array.from({ length: 256 }, (_, at) => (row === 1 || row === 18 ? 9 : 100 + 50 * (a + Math.sin(b * at)))),
  );
  const image = { data: Uint8Array.from(pixels), shape: [20, 16, 16] };
  const twice = { ...image, data: image.data.slice().copyWithin(19 * 256, 0, 256) };
  expect(
    await texts({
      'no copy': copies(noise(40)),
      'no copy, images and a table': copies({ image, table: noise(20) }),
      'no copy but within patients': copies(
        noise(100).map((cells, row) => [...noise(50)[row % 50], ...cells.slice(2)]),
        { data: { groups: Array.from({ length: 100 }, (_, row) => row % 50) } },
      ),
      copies: copies(copied, { y: copied.map((_, row) => Number(row === 31)) }),
      'copies, leave-one-out': copies(copied, { splitter: new LOOCV() }),
      'copies but for a counter': copies(counted),
      'copies, and rows without content': copies(copied.with(0, empty).with(38, empty)),
      'rows without content': copies(noise(40).with(0, empty).with(38, empty)),
      'images, and blank ones': copies(twice),
      'rows of few values': copies(Array.from({ length: 200 }, (_, row) => [row % 2, row % 3])),
    }),
  ).toMatchSnapshot();
});

it('near duplicates, places, sites and preparation', async () => {
  const splitter = new KFold({ nSplits: 2 });
  const sites = (y: number[], site: number[], groups?: number[]) =>
    found(siteConfounding, {
      X: rows(y.length),
      y,
      data: { hierarchy: { site }, ...(groups && { groups }) },
      splitter,
    });
  const pictures = Array.from({ length: 40 }, (_, at) => shot(at < 5 ? scenery(at) : () => 2));
  const six = Array.from({ length: 300 }, (_, row) => Math.floor(row / 50));
  const sixty = Array.from({ length: 120 }, (_, row) => Math.floor(row / 2));
  const pair = [
    [0, 0],
    [1, 1],
  ] as [number, number][];
  const traces = (more: object) => found(preprocessing, { ...preprocessingScenes.clean, ...more });
  const word = (preparedInside: boolean, frozen: string[] = []) => ({
    preparedInside,
    preprocessing: {
      steps: 'FunctionTransformer(same)',
      globalSteps: [],
      learns: false,
      frozen,
      resamplers: [],
      imputers: [],
    },
  });
  const inside = { steps: 'StandardScaler', globalSteps: [], learns: true, frozen: [], resamplers: [], imputers: [] };
  expect(
    await texts({
      'near duplicates': found(nearDuplicates, nearDuplicatesScenes.leaking),
      'few pictures with content': async () => {
        const options = { pairsPerRow: 20, wanted: () => true, random: randomSource(1) };
        return String((await searchPictures(await readFeatures(rowsOf(pictures)), options)).reason);
      },
      'two patients': found(nearDuplicates, {
        X: rows(60),
        data: { groups: rows(60).map(([row]) => row % 2) },
        splitter: new GroupKFold({ nSplits: 2, randomState: 1 }),
      }),
      'too many rows of one feature': found(nearDuplicates, { X: unordered(1, 100).map((value) => [value]), splitter }),
      'features of two values': found(nearDuplicates, { X: rows(60).map(([row]) => [row % 2, row % 3]), splitter }),
      'places within the threshold': found(spatialProximity, {
        X: rows(4),
        data: {
          coordinates: [
            [0, 0],
            [1, 1],
            [5, 6],
            [9, 9],
          ],
        },
        splitter,
        spatialThreshold: 20,
      }),
      'two places': found(spatialProximity, {
        X: rows(40),
        y: rows(40).map(([row]) => (row % 3) % 2),
        data: { coordinates: rows(40).map(([row]) => pair[row % 2]) },
        splitter,
      }),
      'sites that predict the label': found(siteConfounding, siteConfoundingScenes.leaking),
      'six patients': sites(
        six.map((g) => Number(g < 3)),
        six.map((g) => Number(g < 3)),
        six,
      ),
      'one label, some without a site': sites(
        sixty.map((id) => Number(id < 10)),
        sixty.map((id) => (id < 10 ? nothing : id % 2)),
        sixty,
      ),
      'one site': sites([0, 1, 0, 1], [1, 1, 1, 1]),
      'scaled before the split': found(preprocessing, preprocessingScenes.leaking),
      'no trace': traces({}),
      'no trace, fitted inside': traces({ preprocessing: inside }),
      'no trace, steps that learn nothing': traces(word(false)),
      'no trace, the word of the author': traces(word(true)),
      'no trace, the word of the author and a network': traces(word(true, ['OnnxEmbedding(lungs.onnx)'])),
      'no trace, the word of the author alone': traces({ preparedInside: true }),
    }),
  ).toMatchSnapshot();
});

it('declarations, own checks and reports', async () => {
  const X = rows(60);
  const y = X.map((_, row) => row % 2);
  const groups = X.map((_, row) => `p${row % 30}`);
  const checker = new DataLeakageChecker();
  const check = (options: object) => () => checker.check(X, y, options);
  const validate = (constructed: object, called: object) => () =>
    new CVKitValidator(constructed).validate({ model: () => new NearestMean(), X, y, verbose: 0, ...called });
  const own = {
    code: 'LAB001',
    type: 'device_heat',
    kind: 'leakage',
    cost: 'fast',
    page: 'https://example.org/lab001',
    description: 'The device was too warm for some rows.',
    needs: [],
    assess: () => ({ status: 'passed', severity: 'none', message: '', evidence: {}, fix: '' }),
  };
  const register = (more: object) => () => registerCheck({ ...own, ...more } as never as Check);
  const answers = (assess: () => unknown) => async () => {
    register({ assess })();
    try {
      return (await checker.check(X, y, { only: ['LAB001'] })).checks[0].message;
    } finally {
      unregisterCheck('LAB001');
    }
  };
  const merged = async (n: number, options: object) => {
    const { summary, notes } = await mergeDuplicates(rows(n), { near: false, ...options });
    return [...notes, summary()].join('\n');
  };
  const { cost: _, ...costless } = own;
  const both = async (...sets: Parameters<DataLeakageChecker['checkHierarchicalLeakage']>) => {
    const { message, fix } = await checker.checkHierarchicalLeakage(...sets);
    return `${message} ${fix}`;
  };
  expect(
    await texts({
      'not applicable, with its input': check({ timestamps: y, notApplicable: ['temporal'] }),
      'not applicable, no such check': check({ notApplicable: ['duplicate'] }),
      'independent rows of patients': check({ groups, independentRows: true }),
      'validate: not applicable, with its input': validate(
        { notApplicable: ['spatial_proximity'] },
        { coordinates: X.map(([a, b]) => [a, b]) },
      ),
      'validate: prepared inside, no checks': validate({ checkLeakage: false, preparedInside: true }, {}),
      'validate: raiseOn, no checks': validate({ checkLeakage: false }, { raiseOn: ['patient'] }),
      'register: a code that is taken': register({ code: 'CVL001' }),
      'register: a type that is taken': register({ type: 'patient' }),
      'register: no cost': () => registerCheck(costless as never as Check),
      'register: an unknown fact': register({ need: [] }),
      'register: a type with capitals': register({ type: 'Other type' }),
      'register: an unknown input': register({ needs: ['temperature'] }),
      'own check: crash': answers(() => Promise.reject(new Error('boom'))),
      'own check: an unknown status': answers(() => ({ ...own.assess(), status: 'fine' })),
      'own check: an unknown severity': answers(() => ({ ...own.assess(), severity: 'bad' })),
      'own check: no evidence': answers(() => ({ ...own.assess(), evidence: null })),
      'report: refused': async () =>
        (await checker.check(X, y, { groups, cv: new KFold(), only: ['patient'] })).refuse(),
      'two sets: shared groups': () => both([1, 2, 2], [2, 3, 1]),
      'two sets: two spellings': () => both(['P007', 'P8'], ['P7', 'P9']),
      'two sets: shared groups and two spellings': () => both(['P007', 'P08', 'P9'], ['P7', 'P8', 'P9']),
      'shares of classes': async () =>
        (await new BalanceChecker().checkCvBalance(X, y.toSorted(), new KFold({ nSplits: 3 }))).message,
      'merged: equal rows of three patients': () =>
        merged(8, {
          groups: ['a', 'd', 'b', 'c', 'c', 'e', 'f', 'b'],
          near: [
            [5, 7],
            [0, 5],
          ],
          nSplits: 2,
        }),
      'features: warnings': async () => {
        const columns = X.map((_, row) => ({
          constant: 2,
          lone: row ? null : 5,
          infinite: row || Number.POSITIVE_INFINITY,
        }));
        return (await new BalanceChecker().checkFeatureDistribution(columns)).warnings.join('\n');
      },
      'merged: nothing to join': () => merged(30, {}),
      'merged: few groups': () => merged(12, { groups: X.slice(0, 12).map((_, row) => (row < 9 ? 0 : row)) }),
      'merged: classes that cannot be spread': () =>
        merged(12, { y: y.slice(0, 12).map((_, row) => Number(row === 0)) }),
      'merged: equal rows of few values': async () => {
        const equal = X.map((_, row) => [row % 2, (row % 3) % 2]);
        return (await mergeDuplicates(equal, { groups: X.map((_, row) => row >> 1), near: false })).notes.join('\n');
      },
      'merged: rows without content': async () => {
        const empty = X.map((row, at) => (at < 2 ? row.map(() => Number.NaN) : row));
        return (await mergeDuplicates(empty, { near: false })).notes.join('\n');
      },
    }),
  ).toMatchSnapshot();
});

it('refused input', async () => {
  const checker = new DataLeakageChecker();
  const X = rows(60);
  const y = X.map((_, row) => row % 2);
  const groups = X.map((_, row) => `p${row >> 1}`);
  const check = (options: object) => () => checker.check(X, y, options);
  const sets =
    (options: object, test = X.slice(40)) =>
    () =>
      checker.checkCvSplits(X.slice(0, 40), test, options);
  const prepared =
    (folds: unknown, options = {}) =>
    () =>
      assessPreprocessing(X, X, folds as never, options);
  const ids = { groupsTrain: ['a', 'b'], groupsTest: ['c'] };
  const compared = (more: object) => () => checkHierarchicalLeakage({ revealIds: true }, { ...ids, ...more });
  const merged = (options: object) => () => mergeDuplicates(X.slice(0, 8), options);
  const hierarchyTest = { ward: X.slice(40).map(() => 1) };
  expect(
    await texts({
      'check: an unknown option': check({ nSplit: 3 }),
      'check: folds twice': check({ cv: new KFold(), nSplits: 3 }),
      'check: a threshold without places': check({ spatialThreshold: 3 }),
      'check: labels of other rows': () => checker.check(X, y.slice(1)),
      'check: one row': () => checker.check(X.slice(0, 1), y.slice(0, 1)),
      'check: fewer rows than folds': () => checker.check(X.slice(0, 4), y.slice(0, 4)),
      'check: groups of other rows': check({ groups: groups.slice(2) }),
      'check: a missing group': check({ groups: groups.with(3, nothing) }),
      'check: a missing id of a level': check({ hierarchy: { patient: groups.with(3, nothing) } }),
      'check: a level of other rows': check({ hierarchy: { patient: groups.slice(2) } }),
      'check: only, no check': check({ only: ['patients'] }),
      'check: embeddings of other rows': check({ embeddings: X.slice(3) }),
      'check: no rows': () => checker.check([], []),
      'check: raiseOn, no check': check({ raiseOn: ['patients'] }),
      'check: raiseOn, a check that is not made': check({ only: ['duplicate'], raiseOn: ['patient'] }),
      'checkCvSplits: one y': sets({ yTrain: y.slice(0, 40) }),
      'checkCvSplits: one list of ids': sets({ patientIdsTest: groups.slice(40) }),
      'checkCvSplits: levels that differ': sets({ hierarchyTrain: { site: y.slice(0, 40) }, hierarchyTest }),
      'checkCvSplits: other columns': sets(
        {},
        X.slice(40).map((row) => row.slice(1)),
      ),
      'preprocessing: no such row': prepared({ train: [0], test: [60] }),
      'preprocessing: no training rows': prepared([[], [1]]),
      'preprocessing: a row on both sides': prepared([[0, 1, 2], [2]]),
      'preprocessing: other rows': () => assessPreprocessing(X, X.slice(1), [[0], [1]]),
      'preprocessing: an unknown step': prepared([[0], [1]], { steps: ['knn'] }),
      'preprocessing: no folds': prepared([]),
      'preprocessing: a number': prepared(5),
      'preprocessing: a list of nothing': prepared([null]),
      'preprocessing: fold 1': prepared([
        [[0], [1]],
        [[2], [2]],
      ]),
      'preprocessing: one side': prepared({ train: [0] }),
      'two sets: parents of one': compared({ parentGroupsTrain: ['A', 'A'] }),
      'two sets: parents of other rows': compared({ parentGroupsTrain: ['A'], parentGroupsTest: ['B'] }),
      'two sets: no ids': compared({ groupsTest: [] }),
      'two sets: a missing id': compared({ groupsTest: [Number.NaN] }),
      'mergeDuplicates: one group': merged({ groups: y.slice(0, 8).map(() => 0), near: false }),
      'mergeDuplicates: one row': () => mergeDuplicates([[1, 2, 3]], { y: [1] }),
      'mergeDuplicates: a seed below 0': merged({ randomState: -1 }),
      'mergeDuplicates: no such row': merged({ near: [[0, 8]] }),
      'mergeDuplicates: groups of other rows': merged({ groups: ['a'] }),
      'mergeDuplicates: labels of other rows': merged({ y: [0, 1] }),
      'mergeDuplicates: an unknown option': merged({ nearby: true }),
    }),
  ).toMatchSnapshot();
});
