import { terminal } from '#io';
import { nameText, plainText } from '../core/foreignText.js';
import { counted, formatDuration, formatNumber } from '../core/format.js';
import { eraseLine } from '../core/summaryText.js';
import type { TuningTrial } from '../core/tuningTrial.js';
import type { EpochContext, InnerProgress, RunContext } from './callback.js';
import type { FoldResult } from './foldResult.js';
import type { EpochLogs, FoldContext } from './frameworkAdapter.js';

/** Of the bar, in letters. */
const WIDEST = 24;
const NARROWEST = 8;

interface RunningFold {
  readonly label: string;
  /** Fits that are done, inner ones and its own, of all: inner ones and one. */
  readonly fits: number;
  readonly inner: number;
  /** Its own fit has begun. */
  readonly own: boolean;
}

/** What a `ProgressLogger` draws and writes. */
export class ProgressLines {
  readonly #perEpoch: boolean;
  #started = 0;
  #folds = 0;
  #done = 0;
  /** Of those that are done: they took no time. */
  #kept = 0;
  /** Folds that have begun and do not count yet. */
  readonly #running = new Map<string, RunningFold>();
  #drawn = false;
  /** Trials have run, and no fold yet. */
  #searched = false;

  constructor(perEpoch: boolean) {
    this.#perEpoch = perEpoch;
  }

  onTrialEnd({ search, trial, bestValue, done, nTrials, searchesDone, nSearches }: TuningTrial): void {
    const best = bestValue === null ? '' : `, best ${formatNumber(bestValue)} (optimistic)`;
    const text = `search ${search} (${searchesDone + 1}/${nSearches}) trial ${done}/${nTrials}${best}`;
    if (this.#perEpoch) this.#line(`${text}; this one: ${trialText(trial)}`);
    else if (!terminal.isTTY && done === nTrials) this.#line(text);
    const share = (searchesDone + done / nTrials) / nSearches;
    this.#bar(share, share, (timeLeft) => text + timeLeft);
    this.#searched = true;
  }

  onCvStart({ nSplits }: RunContext): void {
    this.#started = performance.now();
    this.#folds = nSplits;
    this.#done = this.#kept = 0;
    this.#running.clear();
  }

  onFoldStart({ fold }: FoldContext): void {
    // The time that is left is that of the folds.
    if (this.#searched) this.#started = performance.now();
    this.#searched = false;
    const { inner = 0, own: again = false } = this.#running.get(fold) ?? {};
    if (again) this.#again(fold);
    this.#goesOn(fold, { label: again ? `${fold} again` : fold, fits: inner, inner, own: true });
  }

  onEpochEnd({ epoch, epochs, fold }: EpochContext, logs: EpochLogs): void {
    const label = `${fold} epoch ${epoch + 1}/${epochs}`;
    if (this.#perEpoch) this.#line(`${label}  ${logText(logs)}`);
    const { inner = 0 } = this.#running.get(fold) ?? {};
    this.#goesOn(fold, { label, fits: inner + (epoch + 1) / epochs, inner, own: true });
  }

  onInnerFit({ fold }: FoldContext, { done, total }: InnerProgress): void {
    const label = `${fold} inner fit ${done}/${total}`;
    const { fits = 0 } = this.#running.get(fold) ?? {};
    if (done <= fits) this.#again(fold);
    if (this.#perEpoch) this.#line(label);
    this.#goesOn(fold, { label, fits: done, inner: total, own: false });
  }

  onFoldEnd({ fold }: FoldContext, result: FoldResult): void {
    this.#running.delete(fold);
    this.#done++;
    if (result.kept) this.#kept++;
    if (!terminal.isTTY || this.#perEpoch) {
      const outcome = result.status === 'failed' ? `FAILED: ${result.error.message}` : scoreText(result);
      const inner = result.innerFits > 0 ? ` with ${counted(result.innerFits, 'inner fit')}` : '';
      const time = result.kept ? 'kept' : `${formatDuration(result.seconds)}${inner}`;
      this.#line(`${fold} (${this.#done}/${this.#folds}) ${time}  ${outcome}`);
    }
    this.#draw();
  }

  teardown(): void {
    this.#erase();
  }

  /** The attempt before this one has failed. */
  #again(fold: string): void {
    if (!terminal.isTTY || this.#perEpoch) this.#line(`${fold} again`);
  }

  #goesOn(fold: string, running: RunningFold): void {
    this.#running.set(fold, running);
    this.#draw();
  }

  #draw(): void {
    let part = 0;
    const labels = new Map<string, string>();
    for (const [fold, { label, fits, inner }] of this.#running) {
      const share = Math.min(1, fits / (inner + 1));
      part += share;
      // One that is trained may wait for those before it.
      if (share < 1) labels.set(fold, label);
    }
    const several = `${labels.size} running: ${[...labels.keys()].join(', ')}`;
    const running = labels.size > 1 ? several : [...labels.values()].join('');
    const done = `${this.#done}/${counted(this.#folds, 'fold')}`;
    const timed = (this.#done - this.#kept + part) / (this.#folds - this.#kept);
    this.#bar((this.#done + part) / this.#folds, timed, (timeLeft) => `${done}${timeLeft}  ${running}`);
  }

  /** `timed`: the share that is done of what takes time. */
  #bar(done: number, timed: number, labelled: (timeLeft: string) => string): void {
    if (!terminal.isTTY) return;
    const seconds = (performance.now() - this.#started) / 1000;
    const timeLeft = timed > 0.02 ? `, ${formatDuration((seconds / timed) * (1 - timed))} left` : '';
    const text = plainText(` ${Math.round(done * 100)} %  ${labelled(timeLeft)}`);
    const room = Math.max(20, terminal.columns - 1);
    const width = Math.max(NARROWEST, Math.min(WIDEST, room - text.length));
    const full = Math.round(done * width);
    const line = `${'█'.repeat(full)}${'░'.repeat(width - full)}${text}`;
    eraseLine(line.length > room ? `${line.slice(0, room - 1)}…` : line);
    this.#drawn = true;
  }

  #erase(): void {
    if (this.#drawn) eraseLine();
    this.#drawn = false;
  }

  #line(text: string): void {
    this.#erase();
    terminal.write(`${plainText(text)}\n`);
  }
}

const trialText = ({ state, value, reason }: TuningTrial['trial']) =>
  state === 'failed' ? `FAILED: ${nameText(String(reason), 300)}` : `${state} ${formatNumber(value)}`;

const logText = (logs: EpochLogs) =>
  Object.entries(logs)
    .map(([name, value]) => `${nameText(name)} ${formatNumber(value)}`)
    .join('  ');

const scoreText = ({ scores }: FoldResult) =>
  Object.entries(scores)
    .map(([name, { value }]) => `${nameText(name)} ${formatNumber(value)}`)
    .join('  ');
