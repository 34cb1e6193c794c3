/** The examples of docs/launchers.md, as far as they can be run or read here. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { tempFolder } from '../helpers/tempFolder.js';
import { needDist } from '../meta/dist.js';
import { patients, X, y } from './countedRuns.js';

const page = readFileSync(new URL('../../docs/launchers.md', import.meta.url), 'utf8');
const block = (language: string, start: string): string => {
  const found = [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text]) => text,
  );
  return found.find((text) => text.startsWith(start)) ?? expect.unreachable(`no block that begins with ${start}`);
};

const { folder } = tempFolder();
const root = fileURLToPath(new URL('../..', import.meta.url));

/** A folder with the programs of the page and what they need; its fits are counted. */
function study(name: string) {
  needDist();
  const at = join(folder, name);
  mkdirSync(join(at, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(root, join(at, 'node_modules', 'cvkit'));
  // As npm makes it.
  writeFileSync(join(at, 'node_modules/.bin/cvkit'), `#!/bin/sh\nexec node ${join(root, 'dist/node/cli.js')} "$@"\n`, {
    mode: 0o755,
  });
  cpSync(new URL('./models/counted.mjs', import.meta.url), join(at, 'model.mjs'));
  const rows = JSON.stringify({ X, y, groups: patients });
  writeFileSync(join(at, 'data.mjs'), `export const load = () => (${rows});`);
  writeFileSync(join(at, 'study.mjs'), block('js', '// study.mjs'));
  writeFileSync(join(at, 'part.mjs'), block('js', '// part.mjs'));
  writeFileSync(join(at, 'package.json'), '{}');
  const FITS = join(at, 'fits');
  writeFileSync(FITS, '');
  return {
    at,
    sh: (command: string, env: object = {}) =>
      execFileSync('sh', ['-ec', command], {
        cwd: at,
        env: { ...process.env, FITS, BREAKS_AFTER: '', npm_config_offline: 'true', ...env },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    fits: () => readFileSync(FITS, 'utf8').length / 2,
  };
}

const has = (program: string) => spawnSync(program, ['--version']).status === 0;
/** `npx` asks npm first, which takes seconds for each task. */
const direct = (command: string) => command.replaceAll('npx cvkit', 'node_modules/.bin/cvkit');
const PARALLEL = block('sh', 'seq 0 9').split('\n')[0];
const XARGS = /`(seq 0 9 \| xargs[^`]*)`/.exec(page)?.[1] as string;

it.for([
  ['parallel', PARALLEL],
  ['xargs', XARGS],
])('%s does the folds of a dry run', { tags: 'slow', timeout: 180_000 }, ([program, command], { skip }) => {
  if (!has(program)) skip(`${program} is not installed`);
  const { sh, fits } = study(program);
  expect(sh('node study.mjs --dry').replace(/\s+/g, ' ')).toContain('10, 0 of them');
  expect(fits()).toBe(0);
  sh(direct(command));
  expect(fits()).toBe(10);
  expect(sh('node study.mjs --dry').replace(/\s+/g, ' ')).toContain('10, 10 of them');
  sh('node study.mjs');
  // The models of the intervals alone.
  expect(fits()).toBe(30);
});

it('jobs of a matrix do parts, which one joins', { tags: 'slow', timeout: 180_000 }, () => {
  const { parts, whole } = { parts: study('parts'), whole: study('whole') };
  const workflow = parse(block('yaml', 'jobs:'));
  for (const [index, shard] of workflow.jobs.part.strategy.matrix.shard.entries()) {
    const runs = workflow.jobs.part.steps.flatMap(({ run }: { run?: string }) => run ?? []);
    parts.sh(`${runs.at(-1)} && mv part parts-${index}`, { SHARD: shard });
  }
  expect(parts.fits()).toBe(10);
  mkdirSync(join(whole.at, 'parts'));
  for (const name of readdirSync(parts.at).filter((each) => each.startsWith('parts-'))) {
    cpSync(join(parts.at, name), join(whole.at, 'parts', name), { recursive: true });
  }
  const text = whole.sh(workflow.jobs.whole.steps.at(-1).run);
  expect(text).toContain('roc_auc');
  expect(whole.fits()).toBe(20);
});

const text = { type: 'string' };
const texts = { type: 'array', items: text, minItems: 1 };
const count = { type: 'integer', minimum: 0 };
const only = (properties: object, ...required: string[]) => {
  return { type: 'object', properties, required, additionalProperties: false };
};
const one = (...names: string[]) => ({ enum: names });
const list = (items: object) => ({ type: 'array', items, minItems: 1 });
const sizes = only({ cpu: text, memory: text });
/** The fields of batch/v1 Job that the page uses, as Kubernetes' OpenAPI has them, and what its server refuses besides. */
const JOB = only(
  {
    apiVersion: { const: 'batch/v1' },
    kind: { const: 'Job' },
    metadata: only({ name: { ...text, pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' } }, 'name'),
    spec: only(
      {
        // backoffLimitPerIndex and maxFailedIndexes are for indexed jobs alone.
        completionMode: { const: 'Indexed' },
        ...{ completions: count, parallelism: count, backoffLimitPerIndex: count, maxFailedIndexes: count },
        podFailurePolicy: only(
          {
            rules: list(
              only(
                {
                  action: one('FailJob', 'FailIndex', 'Ignore', 'Count'),
                  onExitCodes: only(
                    {
                      operator: one('In', 'NotIn'),
                      values: list({ type: 'integer', minimum: 1 }),
                      containerName: text,
                    },
                    'operator',
                    'values',
                  ),
                  onPodConditions: list(only({ type: text, status: one('True', 'False', 'Unknown') }, 'type')),
                },
                'action',
              ),
            ),
          },
          'rules',
        ),
        template: only({
          spec: only(
            {
              // podFailurePolicy asks for it.
              restartPolicy: { const: 'Never' },
              containers: list(
                only(
                  {
                    ...{ name: text, image: text, workingDir: text, command: texts },
                    resources: only({ requests: sizes, limits: sizes }),
                    volumeMounts: list(only({ name: text, mountPath: text }, 'name', 'mountPath')),
                  },
                  'name',
                ),
              ),
              volumes: list(
                only({ name: text, persistentVolumeClaim: only({ claimName: text }, 'claimName') }, 'name'),
              ),
            },
            'containers',
            'restartPolicy',
          ),
        }),
      },
      'template',
      'completions',
      'completionMode',
    ),
  },
  'apiVersion',
  'kind',
  'metadata',
  'spec',
);

it('the Indexed Job has the fields of its kind, and names things that are there', () => {
  const check = new Ajv({ allErrors: true }).compile(JOB);
  const job = parse(block('yaml', 'apiVersion: batch/v1'));
  expect(check(job) ? [] : check.errors).toEqual([]);
  expect(check({ ...job, spec: { ...job.spec, completionMod: 'Indexed' } })).toBe(false);
  const { spec, template } = { spec: job.spec, template: job.spec.template.spec };
  expect(spec.maxFailedIndexes).toBeLessThanOrEqual(spec.completions);
  const [container] = template.containers;
  expect(container.volumeMounts.map(({ name }: { name: string }) => name)).toEqual(
    template.volumes.map(({ name }: { name: string }) => name),
  );
  expect(container.command.at(-1)).toContain('cvkit worker');
});
