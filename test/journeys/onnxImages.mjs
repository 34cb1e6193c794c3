/** A radiologist's engineer: PNG files of patients from three hospitals, and a network that somebody else trained. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CVKitValidator, randomSource } from 'cvkit';
import { onnxModel } from 'cvkit/adapters/onnx';
import { readImages } from 'cvkit/node';
import { FunctionTransformer } from 'cvkit/preprocessing';
import { subgroupTable } from 'cvkit/stats';
import { encode } from 'fast-png';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { chestDrawings } from '../../models/scripts/chestDrawings.mjs';

// 240 drawings as PNG of 8 bits: two of each of 120 patients, whose label they share; every third patient is of one hospital.
const file = new URL('../../models/trained/chest-drawings-onnx/model.onnx', import.meta.url);
const folder = process.env.JOURNEY_FOLDER ?? (await mkdtemp(join(tmpdir(), 'scans-')));
const { X: drawn, y: labels } = chestDrawings(randomSource(5), { n: 300 });
const rows = [0, 1].flatMap((label) => labels.flatMap((own, row) => (own === label ? [row] : [])).slice(0, 120));
const list = [];
const pixels = [];
await mkdir(join(folder, 'scans'), { recursive: true });
for (const [at, row] of rows.entries()) {
  const patient = at >> 1;
  const data = Uint8Array.from(drawn.data.subarray(row * 784, (row + 1) * 784), (value) => Math.round(255 * value));
  const entry = {
    file: `scans/${String(patient).padStart(3, '0')}-${at % 2}.png`,
    y: labels[row] ? 'opacity' : 'normal',
    group: `PAT${patient}`,
    site: ['Ost', 'West', 'Süd'][patient % 3],
  };
  pixels.push(...data);
  await writeFile(join(folder, entry.file), encode({ width: 28, height: 28, data, channels: 1 }));
  list.push(entry);
}
await writeFile(
  join(folder, 'labels.csv'),
  ['file,y,group,site', ...list.map((entry) => Object.values(entry).join(','))].join('\n'),
);

/** Grey values of 0 to 255 as the 0 to 1 that the network was trained with. */
const toUnit = ({ data, shape }) => ({ data: data.map((value) => value / 255), shape });

const images = await readImages(join(folder, 'labels.csv'), { root: folder });
console.log(images.shape, images.warnings, Object.keys(images));

const result = await new CVKitValidator({
  nSplits: 4,
  randomState: 3,
  metrics: ['roc_auc', 'sensitivity', 'specificity', 'brier'],
}).validate({
  ...images,
  model: onnxModel(file, { gives: 'logits', classes: ['normal', 'opacity'] }),
  preprocessing: new FunctionTransformer(toUnit),
  positiveLabel: 'opacity',
  threshold: { sensitivity: 0.9 },
  verbose: 0,
});
console.log(result.summary());
console.log(String(result.clinical()));
const html = await result.toHTML();
await writeFile(join(folder, 'report.html'), html);
await writeFile(join(folder, 'report.md'), result.toMarkdown());
await writeFile(join(folder, 'result.json'), JSON.stringify(result.toJSON()));

const table = subgroupTable(result, { by: { site: images.hierarchy.site }, metrics: ['roc_auc', 'sensitivity'] });
console.log(table.summary());

// The same by hand: the runtime alone on the pixels as they were written, ranks and counts, thresholds of the other folds.
const session = await InferenceSession.create(fileURLToPath(file));
const written = Float32Array.from(pixels, (value) => value / 255);
const tensor = new Tensor('float32', written, [list.length, 1, 28, 28]); // one channel: the same order in both layouts
const [logits] = Object.values(await session.run({ [session.inputNames[0]]: tensor }));
const risk = list.map((_, at) => 1 / (1 + Math.exp(logits.data[2 * at] - logits.data[2 * at + 1])));
const { row, yTrue, yPred, yProba, fold } = result.outOfFold;
const ill = (at) => yTrue[at] === 'opacity';
const places = [...row.keys()];
const auc = (own) => {
  const [cases, controls] = [own.filter(ill), own.filter((at) => !ill(at))];
  const wins = cases.flatMap((a) => controls.map((b) => (Math.sign(yProba[a] - yProba[b]) + 1) / 2));
  return wins.reduce((sum, win) => sum + win, 0) / wins.length;
};
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const found = (own) => mean(own.filter(ill).map((at) => Number(yPred[at] === 'opacity')));
const folds = [0, 1, 2, 3];
const rank = (k) => {
  const others = places.filter((at) => fold[at] !== k && ill(at)).map((at) => yProba[at]);
  return others.sort((a, b) => b - a)[Math.ceil(0.9 * others.length) - 1];
};
if (!process.env.JOURNEY_FOLDER) await rm(folder, { recursive: true });
console.log(
  JSON.stringify({
    shape: images.shape,
    status: result.overallStatus,
    text: result.verdict.text,
    layers: Math.max(...places.map((at) => Math.abs(yProba[at] - risk[row[at]]))),
    sha256: [
      result.manifest.engine.sha256,
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    ],
    auc: [result.estimates.roc_auc, auc(places)],
    sensitivity: [result.estimates.sensitivity, found(places)],
    brier: [result.estimates.brier, mean(places.map((at) => (yProba[at] - Number(ill(at))) ** 2))],
    thresholds: result.foldDetails.map(({ adjustment }) => adjustment.threshold.threshold),
    ranked: folds.map(rank),
    interval: result.confidenceIntervals.roc_auc,
    whole: new Set(places.map((at) => `${images.groups[row[at]]} ${fold[at]}`)).size,
    sites: table.rows.map(({ by, n, nUnits, metrics }) => [by.site, n, nUnits, metrics.sensitivity.estimate]),
    bySite: ['Ost', 'Süd', 'West'].map((site) => found(places.filter((at) => list[row[at]].site === site))),
    ids: JSON.stringify(result.toJSON()).includes('PAT1') || html.includes('PAT1'),
  }),
);
