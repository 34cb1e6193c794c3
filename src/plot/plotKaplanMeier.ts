import { scaleLinear } from 'd3-scale';
import { invalidData } from '../core/errors.js';
import { formatNumber } from '../core/format.js';
import { groupBy } from '../core/groupBy.js';
import { type InputOf, integer, number, optionTable } from '../core/options.js';
import { readNumbers } from '../core/readNumbers.js';
import { gather, rowNumbers } from '../data/labels.js';
import { checkLength, groupsOf, weightsOf } from '../data/sideData.js';
import {
  cumulativeIncidence,
  incidenceAt,
  kaplanMeier,
  probabilityLimits,
  survivalAt,
} from '../survival/kaplanMeier.js';
import { ranked, readOutcomes, type TimedOutcomes, takeOutcomes } from '../survival/outcomes.js';
import { band, curve, type Plane, type Point, SMALL, series } from './plane.js';
import { planePicture } from './planePicture.js';
import { firstPlaces, type PlottedResults, taskOf } from './plottedResults.js';
import { checkSource, isResults, namesOfFolds, pictureOptions } from './risks.js';
import { outcomesOf } from './risksAt.js';
import { type Svg, words } from './svg.js';

/** Outcomes of some rows, in groups by name or by risk. */
export interface PlainOutcomes {
  readonly time: ArrayLike<number>;
  readonly event: ArrayLike<number | boolean>;
  /** A number per row, larger for an earlier event; rows are grouped by it. */
  readonly risk?: ArrayLike<number>;
  /** The name of the group of each row, in the place of `risk`. */
  readonly group?: ArrayLike<string | number>;
  readonly sampleWeight?: ArrayLike<number>;
}

export const plotKaplanMeierOptions = optionTable('plotKaplanMeier', {
  ...pictureOptions,
  groups: integer({ min: 1, max: 6 })
    .default(3)
    .describe('Groups of about equal size by risk, where `group` names none.'),
  causeOfInterest: integer({ min: 1 }).optional().describe('The event; of results that of the run, else 1.'),
  level: number({ above: 0, below: 1 }).default(0.95).describe('Level of the bands.'),
});
export type PlotKaplanMeierOptions = InputOf<typeof plotKaplanMeierOptions>;

interface Group {
  readonly name: string;
  readonly outcomes: TimedOutcomes;
  readonly weight: Float64Array | null;
}

/**
 * Curves of Kaplan and Meier by group with their pointwise bands (log-log), and below how many rows are at risk. With competing
 * events the cumulative incidence of the event of interest (Aalen-Johansen) in their place, without bands. Of results the groups
 * are thirds by predicted risk, each fold by its own, since risks of different models do not compare; of repeats the first
 * counts, so that every row is drawn once. Bands count rows as independent, those of one patient too.
 *
 * Sources: Kaplan & Meier 1958, JASA 53:457; numbers at risk, Pocock, Clayton & Altman 2002, Lancet 359:1686.
 *
 * @param source what `run` or `validate` gives, awaited, or plain numbers
 * @throws {InvalidDataError} for results of another task, and for outcomes, risks, groups and weights that cannot be read
 * @example
 * const time = [2, 5, 3, 8, 9, 4, 11, 7, 6, 12];
 * const event = [1, 1, 0, 1, 0, 1, 0, 1, 1, 0];
 * const group = ['a', 'a', 'a', 'b', 'b', 'a', 'b', 'b', 'a', 'b'];
 * const picture = plotKaplanMeier({ time, event, group });
 * await writeFile('curves.svg', String(picture));
 * console.log(picture.description);
 */
export function plotKaplanMeier(source: PlottedResults | PlainOutcomes, input: PlotKaplanMeierOptions = {}): Svg {
  const { title, width, groups: count, causeOfInterest, level } = plotKaplanMeierOptions.resolve(input);
  const { cause: known, groups, note = '' } = isResults(source) ? ofResults(source, count) : ofNumbers(source, count);
  const cause = causeOfInterest ?? known;
  const competing = groups.some(({ outcomes }) => outcomes.event.some((each) => each !== 0 && each !== cause));
  const last = groups.reduce((most, { outcomes }) => outcomes.time.reduce((a, b) => Math.max(a, b), most), 0);
  const curves = groups.map((group) => (competing ? incidenceOf(group, cause) : survivalOf(group, level)));
  const what = competing ? `incidence of event ${cause}` : 'without the event';
  const styles = groups.map((_, at) => series(at));
  const places = scaleLinear([0, last], [0, 1])
    .ticks(4)
    .filter((place) => place <= last);
  return planePicture({
    ...{ title: title ?? (competing ? 'Cumulative incidence' : 'Kaplan-Meier curves'), width, ratio: 0.7 },
    x: { label: 'time', domain: [0, last] },
    y: { label: what, domain: [0, 1] },
    draw: (on) =>
      curves.flatMap(({ points, limits }, at) => [band(on, limits, styles[at]), curve(on, points, styles[at])]),
    below: (on, top) => atRiskRows(groups, places, on, top),
    legend: groups.map(({ name }, at) => ({ ...styles[at], label: name, as: 'line' as const })),
    note,
    description: `${what} over time in ${groups.length} groups, with the rows at risk.`,
    table: {
      header: ['group', 'time', 'at risk', what],
      rows: groups.flatMap((group, at) =>
        places.map((place) => [
          group.name,
          formatNumber(place),
          String(atRisk(group, place)),
          formatNumber(curves[at].at(place)),
        ]),
      ),
    },
  });
}

/** Steps: a value holds until the next one. */
const steps = (points: readonly (readonly number[])[]): number[][] =>
  points.flatMap((point, at) => (at === 0 ? [[...point]] : [[point[0], ...points[at - 1].slice(1)], [...point]]));

function survivalOf({ outcomes, weight }: Group, level: number) {
  const found = kaplanMeier(outcomes, weight);
  const all = Array.from(found.times, (time, at) => {
    const [lower, upper] = probabilityLimits(found.survival[at], Math.sqrt(found.logVariance[at]), level);
    return [time, found.survival[at], lower, upper];
  });
  const path = steps([[0, 1, 1, 1], ...all]);
  return {
    points: path.map(([x, y]): Point => [x, y]),
    limits: path.map(([x, , low, high]) => [x, low, high] as const),
    at: (time: number) => survivalAt(found, time),
  };
}

function incidenceOf({ outcomes, weight }: Group, cause: number) {
  const found = cumulativeIncidence(outcomes, weight, cause);
  const path = steps([[0, 0], ...Array.from(found.times, (time, at) => [time, found.incidence[at]])]);
  return {
    points: path.map(([x, y]): Point => [x, y]),
    limits: [],
    at: (time: number) => incidenceAt(found, time).incidence,
  };
}

const atRisk = ({ outcomes }: Group, time: number) =>
  outcomes.time.reduce((sum, each) => sum + Number(each >= time), 0);

const LINE = 15;

function atRiskRows(groups: readonly Group[], places: readonly number[], { x }: Plane, top: number) {
  const head = words('rows at risk', { x: 14, y: top + 8, 'font-size': 11 });
  const rows = groups.flatMap((group, at) => {
    const y = top + 8 + LINE * (at + 1);
    const colour = series(at);
    return places.map((place) => {
      const text = String(atRisk(group, place));
      const half = (SMALL * text.length) / 2;
      const attributes = { x: Math.max(x(place), half), y, 'text-anchor': 'middle', 'font-size': 11 };
      return words(text, { ...attributes, fill: colour.colour, class: `mark ${colour.class}` });
    });
  });
  return { markup: head + rows.join(''), bottom: top + 8 + LINE * groups.length };
}

interface Drawn {
  readonly cause: number;
  readonly groups: Group[];
  readonly note?: string;
}

function ofResults(results: PlottedResults, count: number): Drawn {
  const { task } = taskOf(results);
  if (task !== 'survival') {
    throw invalidData(
      'no_outcomes',
      'The results given to plotKaplanMeier',
      'be about outcomes by time',
      `a ${task} task`,
    );
  }
  const { outcomes, cause } = outcomesOf(results);
  const { yPred, weight, group } = results.outOfFold;
  const names = namesOfFolds(results);
  const part = new Int32Array(outcomes.time.length);
  for (const rows of groupBy(names.keys(), (row) => names[row]).values()) {
    const own = parts(
      Float64Array.from(rows, (row) => yPred[row] as number),
      count,
    );
    rows.forEach((row, at) => {
      part[row] = own[at];
    });
  }
  const places = firstPlaces(results);
  const patients = group && new Set(Array.from(places, (at) => group[at]));
  const notes = [
    count > 1 ? 'Groups by predicted risk, each fold by its own.' : '',
    places.length < part.length ? 'Of repeats the first.' : '',
    !patients || patients.size === places.length ? '' : 'Bands count the rows of a patient as independent.',
  ];
  const groups = byPart(part, riskNames(count), { outcomes, weight, places });
  return { cause, groups, note: notes.filter(Boolean).join(' ') };
}

const LIKE = '`time` has values';

function ofNumbers(source: PlainOutcomes, count: number): Drawn {
  const { time, event, risk, group, sampleWeight } = Object(source) as PlainOutcomes;
  const must = 'be what `run` or `validate` gives, awaited, or { time, event }';
  checkSource('plotKaplanMeier', must, source, Boolean(time && event));
  const outcomes = readOutcomes({ time, event }, 'plotKaplanMeier');
  const places = rowNumbers(outcomes.time.length);
  const n = places.length;
  const drawn = { outcomes, weight: sampleWeight ? weightsOf(sampleWeight, n, 'sampleWeight', LIKE) : null, places };
  if (group) {
    const { codes, ids } = groupsOf(group, n, 'group', LIKE);
    return { cause: 1, groups: byPart(codes, ids.map(String), drawn) };
  }
  if (!risk) return { cause: 1, groups: byPart(new Int32Array(n), ['all rows'], drawn) };
  checkLength(risk, n, 'risk', LIKE);
  return { cause: 1, groups: byPart(parts(readNumbers(risk, 'risk'), count), riskNames(count), drawn) };
}

/** Of about equal size by value; equal values stay together. */
function parts(values: Float64Array, count: number): Int32Array {
  const { rank, starts } = ranked(values);
  return rank.map((each) =>
    Math.min(count - 1, Math.floor((count * (starts[each] + starts[each + 1] - 1)) / (2 * values.length))),
  );
}

const riskNames = (count: number): string[] =>
  count === 1
    ? ['all rows']
    : count <= 3
      ? ['low risk', 'middle risk', 'high risk'].filter((_, at) => count === 3 || at !== 1)
      : Array.from({ length: count }, (_, at) => `risk group ${at + 1}`);

function byPart(
  part: Int32Array,
  names: readonly string[],
  { outcomes, weight, places }: Omit<Group, 'name'> & { readonly places: Int32Array },
): Group[] {
  return names.flatMap((name, code) => {
    const rows = places.filter((row) => part[row] === code && weight?.[row] !== 0);
    if (rows.length === 0) return [];
    return [
      {
        name: `${name} (${rows.length})`,
        outcomes: takeOutcomes(outcomes, rows),
        weight: weight && gather(weight, rows),
      },
    ];
  });
}
