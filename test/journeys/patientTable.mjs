/** An epidemiologist: a CSV file of patients who come back, with gaps, texts and dates; advice, evidence, trail and reports. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ClassDistributionLogger,
  CVKitValidator,
  RegulatoryComplianceLogger,
  randomSource,
  recommendCv,
  verifyTrail,
} from 'cvkit';
import { LogisticRegression } from 'cvkit/estimators';
import { readTable } from 'cvkit/node';
import { tabular } from 'cvkit/preprocessing';

// 160 invented patients with one to four visits in 2023; whether a visit ends in a readmission hangs on marker and stage.
const random = randomSource(17);
const folder = process.env.JOURNEY_FOLDER ?? (await mkdtemp(join(tmpdir(), 'patients-')));
const wards = ['north', 'south', 'east'];
const written = ['patient_id;seen;age;marker;stage;ward;smoker;readmitted'];
const known = { gaps: { age: 0, marker: 0, stage: 0 }, patients: 160, positive: 0, positivePatients: 0 };
for (let patient = 0; patient < known.patients; patient++) {
  const age = 35 + Math.floor(50 * random.random());
  const level = random.random();
  const smoker = random.random() < 0.3 ? 'yes' : 'no';
  let ever = 0;
  for (let visit = 0; visit < 1 + (patient % 4); visit++) {
    const marker = level + 0.5 * random.random();
    const stage = Math.min(2, Math.floor(3 * random.random() + level / 2));
    const risk = 1 / (1 + Math.exp(-(5 * (marker - 1.1) + 0.8 * (stage - 1) + (smoker === 'yes' ? 0.7 : 0))));
    const readmitted = random.random() < risk;
    const day = String(1 + Math.floor(28 * random.random())).padStart(2, '0');
    const month = String(1 + Math.floor(12 * random.random())).padStart(2, '0');
    const gap = (name, share, text) => {
      if (random.random() >= share) return text;
      known.gaps[name]++;
      return random.random() < 0.5 ? '' : 'NA';
    };
    known.positive += Number(readmitted);
    if (readmitted) ever = 1;
    written.push(
      [
        `KH-${5000 + patient}`,
        `${day}.${month}.2023`,
        gap('age', 0.05, String(age)),
        gap('marker', 0.12, marker.toFixed(3).replace('.', ',')),
        gap('stage', 0.08, ['I', 'II', 'III'][stage]),
        wards[Math.floor(3 * random.random())],
        smoker,
        readmitted ? 'yes' : 'no',
      ].join(';'),
    );
  }
  known.positivePatients += ever;
}
const path = join(folder, 'visits.csv');
const fileText = written.join('\n');
await writeFile(path, fileText);
const cells = written.slice(1).map((text) => text.split(';'));

const table = await readTable(path, {
  target: 'readmitted',
  positiveLabel: 'yes',
  groups: 'patient_id',
  timestamps: 'seen',
  drop: ['ward'],
});
console.log(table.summary());

const advice = await recommendCv({ X: table.X, y: table.y, groups: table.groups });
console.log(advice.method, advice.rationale, advice.warnings);
const inTime = await recommendCv({ X: table.X, y: table.y, groups: table.groups, timestamps: table.timestamps });
console.log(inTime.method, inTime.rationale, inTime.warnings);

const classes = new ClassDistributionLogger();
const trailFile = join(folder, 'trail.jsonl');
const trail = new RegulatoryComplianceLogger({
  path: trailFile,
  actor: 'E. Pidemiologist',
  purpose: 'internal validation',
});
const validator = new CVKitValidator({ cv: advice.splitter, compliance: 'FDA', randomState: 5 });
const result = await validator.validate({
  ...table,
  model: () => new LogisticRegression(),
  preprocessing: tabular(),
  callbacks: [classes, trail],
  verbose: 0,
});
console.log(result.summary());

const markdown = result.toMarkdown();
const html = await result.toHTML();
await writeFile(join(folder, 'report.md'), markdown);
await writeFile(join(folder, 'report.html'), html);
await writeFile(join(folder, 'result.json'), JSON.stringify(result.toJSON()));

// The trail as it lies on the disk, one with a changed word, one without its last entry, and the chain of hashes by hand.
const text = await readFile(trailFile, 'utf8');
const lines = text.trimEnd().split('\n');
const entries = lines.map((line) => JSON.parse(line));
const verified = await verifyTrail(text, { head: trail.head });
const forged = await verifyTrail(text.replace('internal validation', 'external validation'));
const cut = `${lines.slice(0, -1).join('\n')}\n`;
const [withHead, withoutHead] = [await verifyTrail(cut, { head: trail.head }), await verifyTrail(cut)];
console.log(verified, forged, withHead, withoutHead);
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
/** JSON with sorted keys: for entries like these what RFC 8785 asks for. */
const canonical = (value) => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`;
};
const chained = entries.every(({ hash, ...entry }, at) => {
  return hash === sha256(canonical(entry)) && entry.previous === (entries[at - 1]?.hash ?? '0'.repeat(64));
});

// Hashes of the data, as the page on the manifest says: of y the classes and their places, of patients their first places.
const doubles = (values) => Buffer.from(Float64Array.from(values).buffer);
const line = (head) => Buffer.from(`${JSON.stringify(head)}\n`);
const { yTrue, yProba, yPred, row, fold, group } = result.outOfFold;
const truth = cells.map((own) => own[7]);
const ids = [...new Set(cells.map((own) => own[0]))];
const places = cells.map((own) => ids.indexOf(own[0]));
const hashes = {
  y: sha256(
    Buffer.concat([
      line(['classes', ['no', 'yes'], truth.length]),
      doubles(truth.map((label) => Number(label === 'yes'))),
    ]),
  ),
  groups: sha256(Buffer.concat([line(['numbers', [truth.length]]), doubles(places)])),
  timestamps: sha256(
    Buffer.concat([
      line(['numbers', [truth.length]]),
      doubles(cells.map(([, day]) => Date.parse(`${day.split('.').reverse().join('-')}T00:00:00Z`))),
    ]),
  ),
};

// Scores by hand, of the file's own labels.
const tested = [...row.keys()];
const ill = (at) => truth[row[at]] === 'yes';
const part = (own, of) => own.filter(of).length / own.length;
const auc = (k) => {
  const own = tested.filter((at) => fold[at] === k);
  const [cases, controls] = [own.filter(ill), own.filter((at) => !ill(at))];
  const wins = cases.flatMap((a) => controls.map((b) => (Math.sign(yProba[a] - yProba[b]) + 1) / 2));
  return wins.reduce((sum, win) => sum + win, 0) / wins.length;
};
const { estimates, confidenceIntervals, manifest, evidence } = result;
const json = JSON.stringify(result.toJSON());
if (!process.env.JOURNEY_FOLDER) await rm(folder, { recursive: true });
console.log(
  JSON.stringify({
    known,
    rows: cells.length,
    missing: Object.fromEntries(table.info.columns.map(({ name, missing }) => [name, missing])),
    columns: Object.keys(table.X),
    method: [advice.method, inTime.method, inTime.category],
    mixed: [
      advice.warnings,
      ids.filter((id) => new Set(cells.filter(([own]) => own === id).map((own) => own[7])).size > 1).length,
    ],
    status: result.overallStatus,
    labels: tested.every((at) => yTrue[at] === truth[row[at]] && group[at] === cells[row[at]][0]),
    whole: new Set(tested.map((at) => `${group[at]} ${fold[at]}`)).size,
    auc: [estimates.roc_auc, [0, 1, 2, 3, 4].reduce((sum, k) => sum + auc(k) / 5, 0)],
    sensitivity: [estimates.sensitivity, part(tested.filter(ill), (at) => yPred[at] === 'yes')],
    specificity: [
      estimates.specificity,
      part(
        tested.filter((at) => !ill(at)),
        (at) => yPred[at] === 'no',
      ),
    ],
    accuracy: [estimates.accuracy, part(tested, (at) => (yPred[at] === 'yes') === ill(at))],
    interval: confidenceIntervals.roc_auc,
    distributions: classes.distributions.map(({ train, test }) => [train.counts, test.counts]),
    counted: [0, 1, 2, 3, 4].map((k) => {
      const count = (own) => ({ no: own.filter((at) => !ill(at)).length, yes: own.filter(ill).length });
      return [count(tested.filter((at) => fold[at] !== k)), count(tested.filter((at) => fold[at] === k))];
    }),
    trail: { verified, forged, withHead, withoutHead, chained, events: entries.map(({ event }) => event) },
    trailScores: entries.at(-1).meanScores.roc_auc,
    who: [entries[0].actor, entries[0].purpose],
    hashes: [manifest.sha256.data, hashes, entries.at(-1).sha256.data],
    fileHash: [table.sha256, manifest.dataset.sha256, sha256(fileText)],
    evidence: evidence.sections.map(({ checklist, counts, items }) => [
      checklist,
      counts,
      items.map(({ status }) => status),
    ]),
    nowhere: evidence.sections
      .flatMap(({ items }) => items.flatMap(({ where }) => where))
      .filter(
        (path) =>
          path
            .split(/[.[\]]+/)
            .filter(Boolean)
            .reduce((at, key) => at?.[key], JSON.parse(json)) === undefined,
      ),
    told: evidence.sections.flatMap(({ items }) =>
      items.flatMap(({ text: own }) => own.match(/^\d+ of \d+ predictions.*$/gm) ?? []),
    ),
    decisions: ['yes', 'no'].map((label) => {
      const own = tested.filter((at) => truth[row[at]] === label);
      return [own.filter((at) => yPred[at] === label).length, own.filter((at) => yPred[at] !== label).length];
    }),
    open: [markdown.match(/\| OPEN \|/g).length, html.match(/>OPEN</g).length],
    ids: [markdown, html, json, text].map((written) => /KH-\d/.test(written)),
    scripts: /<script|(src|href)="https?:/.test(html),
  }),
);
