/** `dryRun`: what a call would train, keep and take. */

import { nameText } from '../core/foreignText.js';
import { formatDuration, wholeNumber } from '../core/format.js';
import { factLines, INSPECT } from '../core/summaryText.js';

/** Models that a call trains further its folds. */
export interface FurtherFits {
  readonly what: string;
  readonly models: number;
}

interface Facts {
  readonly place: string | undefined;
  readonly parts: readonly FurtherFits[];
  /** Why there are no tasks for other machines. */
  readonly why: string | undefined;
  readonly numbers: readonly number[];
  readonly shard: string | undefined;
}

/** What a call would take, with `dryRun: true`: nothing was trained. */
export class DryRun {
  /** Folds of the call. */
  readonly folds: number;
  /** Models that it trains where nothing is kept, inner ones included; of a search that prunes at most so many. */
  readonly fits: number;
  /** Folds that are in the run directory already. */
  readonly kept: number;
  /** Estimated time of what is left; null where no fold is finished yet. */
  readonly seconds: number | null;
  /** Estimated size of the files of all outcomes. Models are not counted. */
  readonly bytes: number;
  /** Folder of the tasks that `cvkit worker` does; null where there are none. */
  readonly tasks: string | null;
  readonly #facts: Facts;

  constructor(known: Pick<DryRun, 'folds' | 'fits' | 'kept' | 'seconds' | 'bytes' | 'tasks'>, facts: Facts) {
    this.folds = known.folds;
    this.fits = known.fits;
    this.kept = known.kept;
    this.seconds = known.seconds;
    this.bytes = known.bytes;
    this.tasks = known.tasks;
    this.#facts = facts;
  }

  /** In plain words, a line for each. */
  summary(): string {
    const { parts, place } = this.#facts;
    const kept = place === undefined ? '' : `, ${this.kept} of them in the run directory already`;
    const further = parts.map(({ what, models }) => `${wholeNumber(models)} ${what}`).join(', ');
    return [
      'Dry run: nothing was trained.',
      ...factLines([
        ['Folds', `${wholeNumber(this.folds)}${kept}`],
        ['Model fits', `${wholeNumber(this.fits)}: ${further}`],
        ['Time', this.#time()],
        ['Disk', `about ${sizeText(this.bytes)} of outcomes with a run directory; models are not counted`],
        ...(place === undefined ? [] : [['Tasks', this.#tasks()] as const]),
      ]),
    ].join('\n');
  }

  #time(): string {
    const { place, shard } = this.#facts;
    if (this.seconds !== null) return `about ${formatDuration(this.seconds)} for what is left, as finished folds took`;
    if (place === undefined) return 'not known: a `runDirectory` with a finished fold tells it';
    const ways = [
      ...(this.tasks === null ? [] : [`\`npx cvkit worker ${nameText(place, 200)} --task ${this.#facts.numbers[0]}\``]),
      ...(shard === undefined ? [] : [`the call with \`shard: '${shard}'\` in the same directory`]),
    ];
    const way = ways.join(', or ') || 'begin the call, end it with Ctrl-C once some are done';
    return `not known before a fold is finished: ${way}, and then this again`;
  }

  #tasks(): string {
    const { place, why, numbers } = this.#facts;
    if (this.tasks === null) return `none for other machines. ${why}`;
    const range = `N from ${numbers[0]} to ${numbers.at(-1)}`;
    return `\`npx cvkit worker ${nameText(place as string, 200)} --task N\`, ${range}, anywhere; then the call without \`dryRun\``;
  }

  [INSPECT](): string {
    return this.summary();
  }
}

const sizeText = (bytes: number): string =>
  bytes < 1e6 ? `${wholeNumber(Math.ceil(bytes / 1000))} kB` : `${wholeNumber(Math.round(bytes / 1e6))} MB`;
