/** `cvkit submit`: the folds of a study on SLURM, or a Job for Kubernetes. */
import { relative } from 'node:path';
import { InvalidOptionError, phrase, sentence } from '../../core/errors.js';
import { slurm } from '../../node/slurm.js';
import { DryRun } from '../../runner/dryRun.js';
import { ValidationResult } from '../../validator/validationResult.js';
import type { Work } from '../program.js';
import { studyOfModule, studyOfTable, validateStudy } from '../study.js';
import { tableWithTarget } from '../table.js';
import { isModule } from '../words.js';
import { showStudy } from './run.js';

export const submitCommand: Work = async ([file], flags, output) => {
  await output.checkPlaces([file]);
  const { directory, kubernetes } = flags;
  if (Boolean(flags.slurm) === Boolean(kubernetes)) {
    refuse('be called with --slurm or with --kubernetes', flags.slurm ? 'both' : 'neither');
  }
  if (directory === undefined) refuse('be called with --directory FOLDER, which all nodes see', 'none');
  const study = isModule(file)
    ? await studyOfModule(file, flags)
    : await studyOfTable(file, await tableWithTarget('submit', file, flags), flags);
  if (study instanceof ValidationResult) return refuse('be called with a study that has not run', 'a result');
  if (kubernetes) {
    const idle = ['sbatch', 'report', 'details'].find((name) => flags[name] !== undefined);
    if (idle) refuse('be called with --slurm', `--${idle} with --kubernetes`);
    const { image, claim } = flags;
    if (typeof image !== 'string' || typeof claim !== 'string') refuse('be called with --image and --claim', 'none');
    const dry = await validateStudy({ ...study, dryRun: true, verbose: 0 });
    if (!(dry instanceof DryRun) || dry.tasks === null) refuse('have tasks, which need modules and plain data', 'none');
    output.say(`${(dry as DryRun).summary()}\n`);
    const job = { directory: directory as string, folds: (dry as DryRun).folds, image, claim, atOnce: flags.atOnce };
    await output.result(jobOf(job as Job));
    return 0;
  }
  const { sbatch, atOnce } = flags as { readonly sbatch?: string[]; readonly atOnce?: number };
  const executor = slurm({ ...(sbatch ? { sbatch } : {}), ...(atOnce ? { atOnce } : {}) });
  try {
    return await showStudy({ ...study, executor }, { file }, flags, output);
  } finally {
    await executor.close();
  }
};

function refuse(must: string, got: string): never {
  throw new InvalidOptionError(sentence('`cvkit submit`', must, phrase(got)), { code: 'missing_option' });
}

interface Job {
  readonly directory: string;
  readonly folds: number;
  readonly image: string;
  readonly claim: string;
  readonly atOnce: number | undefined;
}

/** An Indexed Job (batch/v1, Kubernetes 1.33): each index is a fold. Texts of the caller are JSON, which YAML reads. */
function jobOf({ directory, folds, image, claim, atOnce = 4 }: Job): string {
  const place = relative(process.cwd(), directory) || '.';
  const text = (value: string) => JSON.stringify(value);
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: cvkit
spec:
  completionMode: Indexed
  completions: ${folds}
  parallelism: ${Math.min(atOnce, folds)}
  backoffLimitPerIndex: 2
  maxFailedIndexes: ${folds}
  podFailurePolicy:
    rules:
      - action: FailIndex
        onExitCodes:
          operator: In
          values: [2]
      - action: Ignore
        onPodConditions:
          - type: DisruptionTarget
            status: 'True'
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: fold
          image: ${text(image)}
          workingDir: /study
          command: [sh, -c, 'npx cvkit worker "$0" --task "$JOB_COMPLETION_INDEX"', ${text(place)}]
          resources:
            requests: { cpu: '1', memory: 2Gi }
            limits: { memory: 2Gi }
          volumeMounts:
            - name: study
              mountPath: /study
      volumes:
        - name: study
          persistentVolumeClaim:
            claimName: ${text(claim)}
`;
}
