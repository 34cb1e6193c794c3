/** What a model of survival predicts, held to be risks and curves that fall. */
import { AdapterError, kindOf, phrase, sentence } from '../core/errors.js';
import { isList } from '../core/options.js';
import { readNumbers } from '../core/readNumbers.js';
import type { Labels } from '../data/labels.js';
import { checkedProbabilities, type ScoreTable } from '../metrics/scoreTable.js';
import type { Predictions } from './frameworkAdapter.js';

type Expected = Pick<Labels, 'classes' | 'length'>;

/**
 * Risks, and survival at the times of `classes`: curves are read as steps, 1 before their first time. Throws
 * {@link AdapterError} for another number of rows, NaN, what is no probability, and curves that rise.
 */
export function timedPredictions(
  { risk, values, survival }: Predictions,
  { classes, length }: Expected,
): Pick<ScoreTable, 'yPred' | 'yProba'> {
  const risks = risk ?? values;
  if (!risks) throw wrong('A model of survival', 'predict risks', phrase('none'), 'Give it `predictRisk(X)`.');
  if (risks.length !== length)
    throw wrong('A model', `predict one risk for each of the ${length} rows`, phrase(String(risks.length)));
  const yPred = readNumbers(risks as ArrayLike<unknown>, 'The risk of', {}, AdapterError);
  return survival ? { yPred, yProba: curvesAt(survival, classes as readonly number[], length) } : { yPred };
}

const wrong = (subject: string, must: string, got: ReturnType<typeof phrase>, way?: string) =>
  new AdapterError(sentence(subject, must, got, way), { code: 'invalid_predictions' });

function curvesAt(
  curves: NonNullable<Predictions['survival']>,
  wanted: readonly number[],
  length: number,
): Float64Array {
  const { data, shape, times } = Object(curves);
  if (!isList(data) || !isList(shape) || !isList(times)) {
    throw wrong('The survival that a model predicts', 'be { data, shape: [rows, times], times }', kindOf(curves));
  }
  const [rows, columns] = shape as readonly number[];
  if (rows !== length || columns !== times.length || data.length !== rows * columns) {
    const got = phrase(`shape [${Array.from(shape).join(', ')}] with ${data.length} numbers`);
    throw wrong('A model', `predict survival of shape [${length}, ${times.length}]`, got);
  }
  const own = readNumbers(times, 'The time of column', {}, AdapterError);
  const rises = own.findIndex((time, at) => at > 0 && time <= own[at - 1]);
  if (rises > 0)
    throw wrong(
      'The times that a model predicts survival at',
      'ascend',
      phrase(`${own[rises]} after ${own[rises - 1]}`),
    );
  const known = checkedProbabilities(data, columns, 'The survival of', AdapterError);
  const places = wanted.map((time) => own.findLastIndex((each) => each <= time));
  const out = new Float64Array(length * wanted.length);
  for (let row = 0; row < length; row++) {
    for (let at = 1; at < columns; at++) {
      const [before, after] = [known[row * columns + at - 1], known[row * columns + at]];
      if (after <= before + ROUNDING) continue;
      const subject = `The survival of row ${row} at time ${own[at]}`;
      throw wrong(
        subject,
        `be at most ${before}, as at time ${own[at - 1]}`,
        phrase(String(after)),
        'Give survival, not risks.',
      );
    }
    places.forEach((place, at) => {
      out[row * wanted.length + at] = place < 0 ? 1 : known[row * columns + place];
    });
  }
  return out;
}

/** A curve in 32-bit numbers may rise by as much. */
const ROUNDING = 1e-6;
