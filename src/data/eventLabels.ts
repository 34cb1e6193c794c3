import { type Labels, labelsFrom } from './labels.js';

const NONE = { indicators: new Uint8Array(0) };

/**
 * Outcomes by time as plain labels, for what knows no others: what happened, 'censored' or 'event', of several causes
 * 'event 1', 'event 2', ...; without any censored row the times, which are whole then. Other labels as they are.
 */
export function eventLabels(y: Labels): Labels {
  if (y.task !== 'survival') return y;
  const { numbers, codes } = y;
  const events = [...new Set(codes)].sort((a, b) => a - b);
  if (events.length === 1 && events[0] > 0) {
    const why = 'y has a time and an event per row, and no censored row';
    return labelsFrom({ ...NONE, task: 'regression', why, classes: [], codes: new Int32Array(0), numbers });
  }
  const causes = events.filter((event) => event > 0).length;
  const classes = events.map((event) => (event === 0 ? 'censored' : causes === 1 ? 'event' : `event ${event}`));
  const placed = codes.map((event) => events.indexOf(event));
  const task = classes.length > 2 ? 'multiclass' : 'binary';
  return labelsFrom({ ...NONE, task, why: y.why, classes, codes: placed, numbers: new Float64Array(0) });
}
