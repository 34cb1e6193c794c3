import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { factsOf, type ScoredResults } from '../results.js';

/**
 * Refuses results that were not made on the same folds of the same rows.
 *
 * @param subject what the error calls the two
 * @throws {InvalidDataError} the folds, the rows, the labels, the groups or the weights differ.
 */
export function checkSameFolds(subject: string, a: ScoredResults, b: ScoredResults): void {
  const [first, second] = [factsOf(a), factsOf(b)];
  const refuse = (must: string, got: string, code: string): never => {
    throw new InvalidDataError(
      sentence(subject, must, phrase(got), 'Run both models with the same splitter and seed on the same data.'),
      { code },
    );
  };
  if (first.foldFingerprint !== second.foldFingerprint) {
    const got = `the fold fingerprints ${first.foldFingerprint} (${first.design}) and ${second.foldFingerprint} (${second.design})`;
    refuse('be of identical folds', got, 'different_folds');
  }
  const differs = (column: 'row' | 'fold' | 'yTrue' | 'group' | 'weight') => {
    const [x, y] = [a.outOfFold[column], b.outOfFold[column]];
    if (!x || !y) return Boolean(x) !== Boolean(y);
    return x.length !== y.length || Array.prototype.some.call(x, (value, at) => String(value) !== String(y[at]));
  };
  if (differs('row') || differs('fold'))
    refuse('hold the same folds', 'a fold that one of them lacks', 'different_folds');
  for (const column of ['yTrue', 'group', 'weight'] as const) {
    if (differs(column)) refuse(`have the same ${WORDS[column]}`, 'different ones', 'different_data');
  }
  if (first.task !== second.task || first.positiveLabel !== second.positiveLabel) {
    refuse('have the same task and positive label', `${first.task} and ${second.task}`, 'different_data');
  }
}

const WORDS = { yTrue: 'true labels', group: 'groups', weight: 'weights' };
