import { terminal } from '#io';
import { formatDuration } from '../core/format.js';
import { eraseLine } from '../core/summaryText.js';
import type { CVCallback, RunContext } from './callback.js';

/**
 * Progress of a run that is part of another one, as the fits for an interval: a count that redraws itself in a terminal, and
 * one line at the end.
 */
export class FurtherProgress implements CVCallback {
  readonly name = 'FurtherProgress';
  readonly readOnly = true;
  readonly #title: string;
  readonly #announced: string | undefined;
  #started = 0;
  #folds = 0;
  #done = 0;

  /** @param announced a sentence that is written before the first fit */
  constructor(title: string, announced?: string) {
    this.#title = title;
    this.#announced = announced;
  }

  onCvStart({ nSplits }: RunContext): void {
    this.#started = performance.now();
    this.#folds = nSplits;
    if (this.#announced) terminal.write(`${this.#announced}\n`);
    this.#draw();
  }

  onFoldEnd(): void {
    this.#done++;
    this.#draw();
  }

  onCvEnd(): void {
    const seconds = (performance.now() - this.#started) / 1000;
    eraseLine(`${this.#title}: ${formatDuration(seconds)}\n`);
  }

  #draw(): void {
    if (terminal.isTTY) eraseLine(`${this.#title}: ${this.#done}/${this.#folds}`);
  }
}
