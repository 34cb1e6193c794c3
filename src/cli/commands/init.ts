/** `cvkit init`: a starter project that runs as it is, on invented patients, until its author names a table. */
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { InvalidOptionError, phrase, sentence } from '../../core/errors.js';
import { VERSION } from '../../core/version.js';
import { ifThere } from '../../core/wholeFile.js';
import type { Work } from '../program.js';

export const initCommand: Work = async ([folder], flags, output) => {
  const isFile = await ifThere(async () => !(await stat(folder)).isDirectory(), false);
  const others = (isFile ? ['a file'] : await ifThere(() => readdir(folder), [])).filter(
    (name) => !name.startsWith('.git'),
  );
  if (others.length > 0) {
    const way = 'Name a new one: cvkit init my-study.';
    throw new InvalidOptionError(
      sentence(`The folder '${folder}'`, 'be new or empty', phrase(isFile ? 'a file' : 'files in it'), way),
    );
  }
  await mkdir(folder, { recursive: true });
  const project = filesOf(basename(resolve(folder)), flags.typescript === true, flags.network === true);
  for (const [name, text] of Object.entries(project)) await writeFile(join(folder, name), text, { flag: 'wx' });
  await output.result(`Written: ${Object.keys(project).join(', ')}`);
  output.say(
    `\nNext:${folder === '.' ? '' : `\n  cd ${folder}`}\n  npm install\n  npm run study   # cross-validates, writes report.html\n  npm test`,
  );
  return 0;
};

function filesOf(folder: string, isTyped: boolean, isNetwork: boolean): Readonly<Record<string, string>> {
  const [source, run] = isTyped ? ['study.ts', 'dist/study.js'] : ['study.mjs', 'study.mjs'];
  const build = isTyped ? 'tsc && ' : '';
  const about = {
    ...{ name: folder.toLowerCase().replace(/[^a-z\d-]+/g, '-') || 'my-study', private: true, type: 'module' },
    scripts: {
      study: `${build}cvkit run ${run} --report report.html --force`,
      test: `${build}node --test ${isTyped ? 'dist/study.test.js' : 'study.test.mjs'}`,
    },
    dependencies: { cvkit: `^${VERSION}`, ...(isNetwork ? { '@tensorflow/tfjs': '^4.22.0' } : {}) },
    ...(isTyped ? { devDependencies: { typescript: '^5.9.0', '@types/node': '^20.19.0' } } : {}),
  };
  const options = { outDir: 'dist', module: 'nodenext', target: 'es2022', strict: true, skipLibCheck: true };
  return {
    'package.json': `${JSON.stringify(about, null, 2)}\n`,
    [source]: study(isNetwork),
    [source.replace('study', 'study.test')]: test(isTyped),
    ...(isTyped
      ? { 'tsconfig.json': `${JSON.stringify({ compilerOptions: options, include: ['*.ts'] }, null, 2)}\n` }
      : {}),
    '.gitignore': 'node_modules\ndist\nreport.html\nruns\n*.csv\n',
    'README.md': README,
  };
}

const study = (
  isNetwork: boolean,
) => `import { ${isNetwork ? 'EarlyStopping, ' : ''}generateTemporalPatientData } from 'cvkit';
${isNetwork ? "import * as tf from '@tensorflow/tfjs';\n" : "import { LogisticRegression } from 'cvkit/estimators';\n"}import { tabular } from 'cvkit/preprocessing';

/** What is validated. The patients are invented: put your table in their place, by readTable of cvkit/node:
 *  const table = await readTable('visits.csv', { target: 'died', groups: 'patient' }); and return { ...table, ... }. */
export default function study() {
  const { X, y, groups } = generateTemporalPatientData();
  return {
    ...{ X, y, patientIds: groups },
    preprocessing: tabular(), // fitted in each fold on its training rows
${
  isNetwork
    ? `    model: ({ inputShape }${' '}) =>
      tf.sequential({
        layers: [
          tf.layers.dense({ inputShape: [...inputShape], units: 16, activation: 'relu' }),
          tf.layers.dense({ units: 1, activation: 'sigmoid' }),
        ],
      }),
    ...{ epochs: 50, optimizer: 'adam', lossFn: 'binaryCrossentropy', validation: 0.2 },
    callbacks: [new EarlyStopping({ monitor: 'val_loss', patience: 5 })],
`
    : '    model: () => new LogisticRegression(),\n'
}  };
}
`;

const test = (isTyped: boolean) => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DataLeakageChecker, GroupKFold } from 'cvkit';
import study from './study.${isTyped ? 'js' : 'mjs'}';

test('no leak is found, and no patient is on both sides of a fold', async () => {
  const { X, y, patientIds } = study();
  const cv = new GroupKFold({ nSplits: 5, randomState: 42 });
  const report = await new DataLeakageChecker().check(X, y, { groups: patientIds, cv });
  assert.equal(report.hasLeakage, false, report.summary());
});
`;

const README = `# A study with cvkit

    npm install
    npm run study   # cross-validates, writes report.html
    npm test        # checks the folds for leakage

The patients are invented. Put your own table into the study, and keep it out of version control (.gitignore has *.csv).
`;
