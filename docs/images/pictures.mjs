/**
 * Draws the pictures of the tutorial of networks and of the page on leakage: `node docs/images/pictures.mjs`, after a build.
 * What they show is computed here.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CVKitValidator, GroupKFold, generateSyntheticEhr, KFold } from 'cvkit';
import { LogisticRegression } from 'cvkit/estimators';
import { plotForest } from 'cvkit/plot';
import { StandardScaler } from 'cvkit/preprocessing';
import { emptyProject } from '../../test/helpers/emptyProject.mjs';
import { Neighbours } from '../../test/helpers/neighbours.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const write = (name, text) => writeFileSync(join(ROOT, 'docs/images', name), text);

/** `curves.svg` of the program that the tutorial prints. */
function curvesOfTutorial() {
  const page = readFileSync(join(ROOT, 'docs/tutorial-network.md'), 'utf8');
  const [, program] = page.match(/`train\.mjs`:\n\n```js\n([\s\S]*?)\n```/);
  const folder = emptyProject('cvkit-pictures-', ['@tensorflow']);
  writeFileSync(join(folder, 'train.mjs'), program);
  const { status, stderr } = spawnSync(process.execPath, ['train.mjs'], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The program of the tutorial ended with ${status}: ${stderr}`);
  const text = readFileSync(join(folder, 'curves.svg'), 'utf8');
  rmSync(folder, { recursive: true });
  return text;
}

/** A model that recognises patients, and one that does not, with rows and with patients drawn into folds. */
async function scoresWithAndWithoutLeak() {
  const data = generateSyntheticEhr({ nSamples: 1200, nPatients: 240 });
  const models = { 'nearest rows': () => new Neighbours(), 'logistic regression': () => new LogisticRegression() };
  const designs = { 'rows drawn (leak)': new KFold(), 'patients whole': new GroupKFold() };
  const rows = [];
  for (const [model, make] of Object.entries(models)) {
    for (const [design, cv] of Object.entries(designs)) {
      const validator = new CVKitValidator({ cv, metrics: ['roc_auc'], checkBalance: false });
      const call = { model: make, preprocessing: new StandardScaler(), verbose: 0, ...data };
      const { estimate, lower, upper } = (await validator.validate(call)).confidenceIntervals.roc_auc;
      rows.push({ label: `${model}, ${design}`, estimate, lower, upper });
    }
  }
  const title = 'What a leak does to the AUC';
  return plotForest(rows, { title, label: 'AUC with its 95 % interval', reference: data.trueAuc, width: 640 });
}

write('tutorial-network.svg', curvesOfTutorial());
write('leakage.svg', String(await scoresWithAndWithoutLeak()));
