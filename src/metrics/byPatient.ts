/** Scores of patients: one prediction of each, made of those of its rows. Loaded with the first run that asks for it. */
import { InvalidDataError, InvalidOptionError, phrase, sentence, threw } from '../core/errors.js';
import { type Aggregate, rowNumbers } from '../data/labels.js';
import { type Metric, undefinedBecause } from './metric.js';
import { labelsFromProbabilities, labelWidth, type ScoreTable } from './scoreTable.js';

/** Numbers from 0 for the patients, in the order in which they appear. */
export function patientPlaces(patients: ArrayLike<number>): Int32Array {
  const places = new Map<number, number>();
  return Int32Array.from(patients, (patient) => {
    const place = places.get(patient) ?? places.size;
    places.set(patient, place);
    return place;
  });
}

/** Rows of each patient that has any of weight above 0. */
interface Grouping {
  readonly rows: readonly (readonly number[])[];
  /** Place of the patient of each row; -1 for a row of weight 0. */
  readonly places: Int32Array;
}

function groupingOf({ length, patients = rowNumbers(length) }: ScoreTable, weight: ArrayLike<number> | undefined) {
  const used = rowNumbers(length).filter((row) => !weight || weight[row] > 0);
  const rows: number[][] = [];
  const places = new Int32Array(length).fill(-1);
  for (const [at, place] of patientPlaces(used.map((row) => patients[row])).entries()) {
    places[used[at]] = place;
    rows[place] ??= [];
    rows[place].push(used[at]);
  }
  return { rows, places };
}

const RULES = {
  mean: (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length,
  max: (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), -Infinity),
};

function ruleOf(aggregate: Aggregate, [low, high]: readonly [number, number]): (values: number[]) => number {
  if (typeof aggregate === 'string') return RULES[aggregate];
  return (values) => {
    const value = called(aggregate, values);
    if (typeof value === 'number' && value >= low && value <= high) return value;
    const must = Number.isFinite(low) ? 'give a probability from 0 to 1' : 'give a finite number';
    throw new InvalidOptionError(sentence('The function of `aggregate`', must, value));
  };
}

function called(aggregate: Exclude<Aggregate, string>, values: number[]): unknown {
  try {
    return aggregate(values);
  } catch (error) {
    return threw('The function of `aggregate`', 'give a number', 'score_failed', InvalidOptionError)(error);
  }
}

const PROBABILITY = [0, 1] as const;
const FINITE = [-Number.MAX_VALUE, Number.MAX_VALUE] as const;

/** One value of each patient and column, row-major. */
function reduced(
  { rows }: Grouping,
  width: number,
  rule: (values: number[]) => number,
  valueAt: (row: number, column: number) => number,
): Float64Array {
  const out = new Float64Array(rows.length * width);
  for (const [place, own] of rows.entries()) {
    for (let column = 0; column < width; column++) {
      out[place * width + column] = rule(own.map((row) => valueAt(row, column)));
    }
  }
  return out;
}

/** A class as the share of it in a row: 0 or 1 in each column, which binary tasks have one of. */
function shares({ task, classes, positive }: ScoreTable, codes: ArrayLike<number>) {
  if (task === 'binary') return { width: 1, valueAt: (row: number) => Number(codes[row] === positive) };
  const width = classes.length;
  if (task === 'multilabel') return { width, valueAt: (row: number, column: number) => codes[row * width + column] };
  return { width, valueAt: (row: number, column: number) => Number(codes[row] === column) };
}

/**
 * The truth of each patient: where its rows differ, the same rule makes it, so that a patient is positive by 'max' where any
 * row is.
 *
 * @throws {InvalidDataError} where the rule makes no class of the classes of a patient, and where outcomes by time differ
 */
function truthOf(table: ScoreTable, grouping: Grouping): Pick<ScoreTable, 'yTrue' | 'event'> {
  const { task, yTrue, event, aggregate = 'mean' } = table;
  const { rows } = grouping;
  if (task === 'regression') {
    const width = labelWidth(table);
    const rule = ruleOf(aggregate, FINITE);
    return { yTrue: reduced(grouping, width, rule, (row, column) => yTrue[row * width + column]) };
  }
  if (task === 'survival') {
    const differ = rows.filter((own) =>
      own.some((row) => yTrue[row] !== yTrue[own[0]] || event?.[row] !== event?.[own[0]]),
    );
    if (differ.length > 0) throw unlike(differ.length, rows.length, 'Give each patient one time and event.');
    return {
      yTrue: Float64Array.from(rows, ([first]) => yTrue[first]),
      event: Int32Array.from(rows, ([first]) => event?.[first] ?? 0),
    };
  }
  const { width, valueAt } = shares(table, yTrue);
  const rule = ruleOf(aggregate, PROBABILITY);
  const ofUnlike = (own: number[]) => (own.every((each) => each === own[0]) ? own[0] : rule(own));
  const values = reduced(grouping, width, ofUnlike, valueAt);
  const differ = rows.filter((_, place) => {
    const own = values.subarray(place * width, (place + 1) * width);
    return (
      own.some((value) => value > 0 && value < 1) || (task === 'multiclass' && own.indexOf(1) !== own.lastIndexOf(1))
    );
  });
  const way =
    task === 'multiclass' || aggregate === 'max'
      ? 'Give each patient one class.'
      : "Use aggregate: 'max', by which a patient is positive where any row is, or give each patient one label.";
  if (differ.length > 0) throw unlike(differ.length, rows.length, way);
  return { yTrue: labelsFromProbabilities(values, table) };
}

function unlike(count: number, of: number, way: string): InvalidDataError {
  const got = phrase(`different ones in ${count} of ${of} patients`);
  return new InvalidDataError(sentence('y', 'be the same in all rows of a patient for `aggregate`', got, way), {
    code: 'labels_differ',
  });
}

/** Throws what {@link truthOf} throws, before anything is trained. */
export const checkPatientLabels = (table: Omit<ScoreTable, 'yPred'>): void => {
  const unpredicted = { ...table, yPred: [] };
  truthOf(unpredicted, groupingOf(unpredicted, table.weight));
};

function predictionOf(table: ScoreTable, grouping: Grouping): Pick<ScoreTable, 'yPred' | 'yProba' | 'censoring'> {
  const { task, classes, yPred, yProba, censoring, aggregate = 'mean' } = table;
  const rule = ruleOf(aggregate, PROBABILITY);
  if (task === 'regression' || task === 'survival') {
    const width = labelWidth(table);
    const values = reduced(grouping, width, ruleOf(aggregate, FINITE), (row, column) => yPred[row * width + column]);
    if (task === 'regression') return { yPred: values };
    const times = classes.length;
    // The rule is about probabilities of the event.
    const atTimes = yProba && reduced(grouping, times, rule, (row, at) => 1 - yProba[row * times + at]);
    const columns = times + 1;
    const first = ([row]: readonly number[]) => censoring?.subarray(row * columns, (row + 1) * columns) ?? [];
    return {
      yPred: values,
      ...(atTimes && { yProba: atTimes.map((risk) => 1 - risk) }),
      ...(censoring && { censoring: Float64Array.from(grouping.rows.flatMap((own) => Array.from(first(own)))) }),
    };
  }
  if (!yProba && task === 'multiclass' && aggregate !== 'mean') {
    const must = 'have probabilities to take the largest of, where there are more than two classes';
    throw new InvalidOptionError(sentence('`aggregate`', must, phrase('labels alone'), "Use aggregate: 'mean'."));
  }
  const votes = shares(table, yPred);
  const { width } = votes;
  const values = reduced(grouping, width, rule, yProba ? (row, column) => yProba[row * width + column] : votes.valueAt);
  if (task === 'multiclass' && aggregate !== 'mean') {
    for (let from = 0; from < values.length; from += width) {
      const own = values.subarray(from, from + width);
      const sum = own.reduce((total, value) => total + value, 0);
      for (let column = 0; column < width; column++) own[column] = sum > 0 ? own[column] / sum : 1 / width;
    }
  }
  return { yPred: labelsFromProbabilities(values, table), ...(yProba && { yProba: values }) };
}

interface Patients {
  readonly table: ScoreTable;
  readonly grouping: Grouping;
}

/** Metrics of a run read the same tables in turn. */
const known = new WeakMap<ScoreTable, Patients>();

/** A table of patients, each with the mean weight of its rows. */
function patientsIn(table: ScoreTable): Patients {
  const kept = known.get(table);
  if (kept) return kept;
  const { task, classes, positive, weight, fixed } = table;
  const grouping = groupingOf(table, weight);
  const { rows } = grouping;
  const meanWeight = (own: readonly number[], of: Float64Array) =>
    own.reduce((sum, row) => sum + of[row], 0) / own.length;
  const patients: ScoreTable = {
    ...{ task, classes, positive, length: rows.length },
    ...truthOf(table, grouping),
    ...predictionOf(table, grouping),
    ...(weight && { weight: Float64Array.from(rows, (own) => meanWeight(own, weight)) }),
  };
  const found = { table: patients, grouping };
  // The weights of a fixed table are written anew.
  if (!fixed) known.set(table, found);
  return found;
}

/** The metric of patients, in the place of rows. Labels are those of the highest probability, or of more than half. */
export function byPatient(metric: Metric): Metric {
  const { aliases: _, decomposable: _rows, proportion: _shares, chance: _chance, ...facts } = metric;
  const { influence, stratum } = metric;
  return {
    ...facts,
    name: patientName(metric.name),
    description: `Of patients, with one prediction each by \`aggregate\`: ${metric.description}`,
    averagedOver: 'patient',
    ofPatients: {
      metric,
      of(table) {
        const { table: patients, grouping } = patientsIn(table);
        return { table: patients, rows: Int32Array.from(grouping.rows, ([first]) => first) };
      },
    },
    compute(table) {
      if (table.patients && table.aggregate) return metric.compute(patientsIn(table).table);
      return undefinedBecause('no `aggregate` makes one prediction of each patient');
    },
    ...(influence && {
      influence(table, estimate) {
        const { table: patients, grouping } = patientsIn(table);
        const each = influence(patients, estimate);
        return Float64Array.from(grouping.places, (place) =>
          place < 0 ? 0 : each[place] / grouping.rows[place].length,
        );
      },
    }),
    ...(stratum && {
      stratum(table, row) {
        const { table: patients, grouping } = patientsIn(table);
        return grouping.places[row] < 0 ? -1 : stratum(patients, grouping.places[row]);
      },
    }),
  };
}

export const patientName = (name: string): string => `${name}_by_patient`;
