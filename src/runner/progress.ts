import { terminal } from '#io';
import { nameText, plainText } from '../core/foreignText.js';
import { counted, formatDuration, formatNumber } from '../core/format.js';
import { eraseLine } from '../core/summaryText.js';
import type { TuningTrial } from '../core/tuningTrial.js';
import type { EpochContext, InnerProgress, RunContext } from './callback.js';
import type { FoldResult } from './foldResult.js';
import type { EpochLogs, FoldContext } from './frameworkAdapter.js';

const WIDTH = 24;

/** What a `ProgressLogger` draws and writes. */
export class ProgressLines {
  readonly #perEpoch: boolean;
  #started = 0;
  #folds = 0;
  #done = 0;
  /** Inner fits of the fold at hand, and those of them that are done. */
  #inner = 0;
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
    this.#bar((searchesDone + done / nTrials) / nSearches, text);
    this.#searched = true;
  }

  onCvStart({ nSplits }: RunContext): void {
    this.#started = performance.now();
    this.#folds = nSplits;
    this.#done = 0;
  }

  onFoldStart(ctx: FoldContext): void {
    // The time that is left is that of the folds.
    if (this.#searched) this.#started = performance.now();
    this.#searched = false;
    this.#draw(this.#inner, ctx.fold);
  }

  onEpochEnd({ epoch, epochs, fold }: EpochContext, logs: EpochLogs): void {
    if (this.#perEpoch) this.#line(`${fold} epoch ${epoch + 1}/${epochs}  ${logText(logs)}`);
    this.#draw(this.#inner + (epoch + 1) / epochs, `${fold} epoch ${epoch + 1}/${epochs}`);
  }

  onInnerFit({ fold }: FoldContext, { done, total }: InnerProgress): void {
    this.#inner = total;
    if (this.#perEpoch) this.#line(`${fold} inner fit ${done}/${total}`);
    this.#draw(done, `${fold} inner fit ${done}/${total}`);
  }

  onFoldEnd({ fold }: FoldContext, result: FoldResult): void {
    this.#done++;
    this.#inner = 0;
    if (!terminal.isTTY || this.#perEpoch) {
      const outcome = result.status === 'failed' ? `FAILED: ${result.error.message}` : scoreText(result);
      const inner = result.innerFits > 0 ? ` with ${counted(result.innerFits, 'inner fit')}` : '';
      this.#line(`${fold} (${this.#done}/${this.#folds}) ${formatDuration(result.seconds)}${inner}  ${outcome}`);
    }
    this.#draw(0, fold);
  }

  teardown(): void {
    this.#erase();
  }

  /** `fits`: how many of the fits of the fold at hand are done, inner ones and its own. */
  #draw(fits: number, label: string): void {
    if (!terminal.isTTY) return;
    this.#bar(Math.min(1, (this.#done + fits / (this.#inner + 1)) / this.#folds), label);
  }

  #bar(done: number, label: string): void {
    if (!terminal.isTTY) return;
    const full = Math.round(done * WIDTH);
    const seconds = (performance.now() - this.#started) / 1000;
    const left = done > 0.02 ? `, ${formatDuration((seconds / done) * (1 - done))} left` : '';
    const text = plainText(
      `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${Math.round(done * 100)} %  ${label}${left}`,
    );
    eraseLine(text.slice(0, Math.max(20, terminal.columns - 1)));
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
