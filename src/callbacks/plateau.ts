/** What callbacks that watch a log share: which log, which way is better, and what counts as better. */

import { InvalidOptionError, nearest, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { number, type OptionsOf, oneOf, optionTable, string } from '../core/options.js';
import { lossOf, type Metric } from '../metrics/metric.js';
import { metricRegistry } from '../metrics/registry.js';
import type { EpochLogs } from '../runner/frameworkAdapter.js';

const table = optionTable('watch', {
  monitor: string()
    .default('val_loss')
    .describe(
      'The log to watch: a log of the framework, or `val_` and the name of a metric, which is then computed on the ' +
        'validation rows after each epoch. `val_*` needs the `validation` option of run.',
    ),
  minDelta: number({ min: 0 }).default(0).describe('Smallest change that counts as an improvement.'),
  mode: oneOf('min', 'max')
    .optional()
    .describe("'min': smaller is better. 'max': larger is. Known for losses and for metrics; else it must be set."),
});

export const watchOptions = table.shape;

type Watch = Pick<OptionsOf<typeof table>, 'monitor' | 'minDelta' | 'mode'>;

/** Throws InvalidOptionError where nothing says which way of the log is better; `owner` is the class that asks. */
export const checkWatch = (owner: string, watch: Watch): void => void betterOf(owner, watch);

export class Plateau {
  readonly #owner: string;
  readonly #watch: Watch;
  readonly #better: Better;
  #best = Number.POSITIVE_INFINITY;
  #waited = 0;

  constructor(owner: string, watch: Watch) {
    this.#owner = owner;
    this.#watch = watch;
    this.#better = betterOf(owner, watch);
  }

  /** Epochs since the best one or the last restart; 0 when this one is the best by more than `minDelta`. */
  epochsSinceBest(logs: EpochLogs): number {
    this.#waited = this.#isBest(logs) ? 0 : this.#waited + 1;
    return this.#waited;
  }

  /** Counts epochs from here on; the best value stays. */
  restart(): void {
    this.#waited = 0;
  }

  #isBest(logs: EpochLogs): boolean {
    const { monitor, minDelta } = this.#watch;
    const value = logs[monitor];
    if (value === undefined) {
      const known = Object.keys(logs).join(', ');
      const subject = `The \`monitor\` option of ${this.#owner}`;
      throw new InvalidOptionError(sentence(subject, `be one of the logs ${known}`, monitor));
    }
    const loss = lossOf(this.#better, value);
    if (!(loss < this.#best - minDelta)) return false;
    this.#best = loss;
    return true;
  }
}

type Better = Pick<Metric, 'direction' | 'target'>;

const DIRECTIONS = { min: 'minimize', max: 'maximize' } as const;

/** Losses shrink, and a metric says itself which way is better; nothing is guessed from other names. */
function betterOf(owner: string, { monitor, mode }: Watch): Better {
  const name = monitor.replace(/^val_/, '');
  const known = knownOf(name);
  if (known && mode && DIRECTIONS[mode] !== known.direction) {
    const must = { minimize: "be 'min'", maximize: "be 'max'", target: 'be left out' }[known.direction];
    throw new InvalidOptionError(
      sentence(`The \`mode\` option of ${owner}`, `${must} for '${nameText(monitor)}'`, mode, 'Leave it out.'),
    );
  }
  if (known) return known;
  if (mode) return { direction: DIRECTIONS[mode] };
  const near = nearest(name, ['loss', ...metricRegistry.names()]);
  throw new InvalidOptionError(
    sentence(
      `The \`mode\` option of ${owner}`,
      `be 'min' or 'max', since '${nameText(monitor)}' does not tell which is better`,
      phrase('nothing'),
      near && `Did you mean '${monitor.slice(0, -name.length)}${near}'?`,
    ),
    { code: 'missing_option' },
  );
}

function knownOf(name: string): Better | undefined {
  if (name === 'loss') return { direction: 'minimize' };
  if (metricRegistry.has(name)) return metricRegistry.get(name);
  const timed = /^(concordance|roc_auc_at|integrated_brier|brier_at)/.exec(name)?.[1];
  if (timed) return { direction: timed.includes('brier') ? 'minimize' : 'maximize' };
  // Of patients, and of one of several targets or labels: as that of all.
  const base = name.replace(/_by_patient$/, '').replace(/_\d+$/, '');
  return metricRegistry.has(base) ? metricRegistry.get(base) : undefined;
}
