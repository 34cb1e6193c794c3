/** What a run needs to know of outcomes by time: the cause of interest, and the times that answers are about. */
import { InvalidDataError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { sortedQuantile } from '../core/quantiles.js';
import { type Labels, labelsFrom } from '../data/labels.js';
import { withPositive } from '../data/positiveCode.js';

export interface TimedOptions {
  readonly times?: readonly number[] | undefined;
  readonly causeOfInterest?: number | undefined;
}

/**
 * The labels with the times of their scores (`times`; left out, the quartiles of the times of events, rounded to three digits)
 * and with those at which curves are predicted: these, and twentieths of the times of events, over which the Brier score is
 * integrated. Throws {@link InvalidDataError} without an event, {@link InvalidOptionError} for times beyond the follow-up.
 */
export function timedLabels(read: Labels, { times, causeOfInterest: named }: TimedOptions): Labels {
  const { numbers, codes } = read;
  const causeOfInterest = named ?? 1;
  if (
    named === undefined &&
    codes.includes(1) &&
    codes.includes(2) &&
    codes.every((code) => code === 1 || code === 2)
  ) {
    const got = phrase('1 and 2 alone, as where 1 is censored and 2 the event');
    const way = 'Subtract 1 if it is so; if both are events and nobody is censored, pass `causeOfInterest`.';
    throw new InvalidDataError(sentence('The events of y', 'hold 0 for censored rows', got, way), {
      code: 'no_censored',
    });
  }
  const ofEvents = numbers.filter((_, row) => codes[row] === causeOfInterest).sort();
  if (ofEvents.length === 0) {
    const causes = [...new Set(codes)].sort((a, b) => a - b);
    const censored = causes.length === 1 && causes[0] === 0;
    const got = phrase(censored ? 'only censored rows' : `events ${causes.join(', ')}`);
    const way = censored || named !== undefined ? undefined : 'Name another event by `causeOfInterest`.';
    throw new InvalidDataError(sentence('y', `hold an event ${causeOfInterest}`, got, way), { code: 'no_event' });
  }
  const last = numbers.reduce((most, time) => Math.max(most, time), 0);
  const beyond = times?.find((time) => time >= last);
  if (beyond !== undefined) {
    const must = `lie before the end of follow-up, ${last}`;
    throw new InvalidOptionError(sentence('The `times` option', must, beyond), { code: 'times_beyond' });
  }
  const quantiles = (count: number) =>
    Array.from({ length: count - 1 }, (_, at) => Number(sortedQuantile(ofEvents, (at + 1) / count).toPrecision(3)));
  const usable = (each: number) => each > 0 && each < last;
  const horizons = ascending(times ?? quantiles(4).filter(usable));
  const classes = ascending([...horizons, ...quantiles(20).filter(usable)]);
  return withPositive(labelsFrom({ ...read, classes, timed: { horizons } }), causeOfInterest);
}

const ascending = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b);
