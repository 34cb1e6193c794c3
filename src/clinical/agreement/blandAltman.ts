import { InvalidDataError, kindOf, phrase, sentence } from '../../core/errors.js';
import { arrayLike, type InputOf, number, oneOf, optionTable } from '../../core/options.js';
import type { Label } from '../../data/labels.js';
import { checkLength, groupsOf } from '../../data/sideData.js';
import { type Interval, unitFacts } from '../../intervals/interval.js';
import { sampleFacts, type Value } from '../../intervals/sample.js';
import { mapValue } from '../measures/mover.js';
import { agreement as agreementOf } from './limitsOfAgreement.js';

export const blandAltmanOptions = optionTable('blandAltman', {
  scale: oneOf('difference', 'ratio')
    .default('difference')
    .describe('a - b; or a / b, by logarithms, where differences grow with the size.'),
  agreement: number({ above: 0, below: 1 }).default(0.95).describe('Share of the differences between the limits.'),
  groups: arrayLike<Label>('id[]').optional().describe('Patient of each row, where patients have several rows.'),
  level: number({ above: 0, below: 1 }).default(0.95).describe('Level of the intervals.'),
});

/** What {@link blandAltman} takes beside its required arguments. */
export type BlandAltmanOptions = InputOf<typeof blandAltmanOptions>;

/** What {@link blandAltman} gives, in the unit of the measurements; for `scale: 'ratio'` as ratios a / b. */
export interface BlandAltman {
  /** Mean of a - b; geometric mean of a / b. */
  readonly bias: Interval;
  /** Limits between which the share `agreement` of the differences is expected. */
  readonly lowerLimit: Interval;
  readonly upperLimit: Interval;
  /** Standard deviation of a difference (of its logarithm); null for a single patient (row). */
  readonly sd: number | null;
  /** That within a patient; null where all have one row. */
  readonly withinSd: number | null;
  /** For the plot, one per row: (a + b) / 2 against a - b; for ratios sqrt(a b) against a / b. */
  readonly points: readonly { readonly average: number; readonly difference: number }[];
}

/**
 * Agreement of two measurements: bias and limits of agreement, bias -+ z sd, each with its interval. Student's t for
 * the bias, noncentral t (exact for normal differences) for each limit. With several rows per patient the differences
 * vary between and within patients (random effects, the true value may vary): every patient's mean counts alike, and
 * the limits have intervals by MOVER. Look at `points`: where the difference grows with the size, take ratios.
 *
 * Source: Bland & Altman 1986, Lancet 327:307, and 1999, Statistical Methods in Medical Research 8:135; exact
 * intervals, Carkeet 2015, Optometry and Vision Science 92:e71; several rows, Bland & Altman 2007, Journal of
 * Biopharmaceutical Statistics 17:571, and Zou 2013, Statistical Methods in Medical Research 22:630 (here with
 * Student's t for the bias).
 *
 * @param a measurements or predictions of one method, length n
 * @param b of the other, length n
 * @throws InvalidDataError for lengths that differ, values that are not finite numbers, and numbers <= 0 on the ratio
 * scale; InvalidOptionError for options out of range
 */
export function blandAltman(a: ArrayLike<number>, b: ArrayLike<number>, options?: BlandAltmanOptions): BlandAltman {
  const { scale, agreement, groups, level } = blandAltmanOptions.resolve(options);
  const ratio = scale === 'ratio';
  checkMeasurements(a, 'a', ratio);
  checkMeasurements(b, 'b', ratio);
  if (b.length !== a.length) {
    const got = phrase(String(b.length));
    throw new InvalidDataError(sentence('b', `have as many numbers as a, ${a.length}`, got), {
      code: 'length_mismatch',
    });
  }
  const read = (values: ArrayLike<number>) => Float64Array.from(values, (value) => (ratio ? Math.log(value) : value));
  const [x, y] = [read(a), read(b)];
  const units = groups ? groupsOf(groups, x.length).codes : Int32Array.from(x, (_, row) => row);
  const unit = groups ? 'patient' : 'row';
  const differences = x.map((value, row) => value - y[row]);
  const found = agreementOf(differences, units, { agreement, level, unit });
  const back = (value: number) => (ratio ? Math.exp(value) : value);
  const interval = (value: Value): Interval => ({
    ...sampleFacts({ level, unit, nUnits: found.nUnits }),
    ...unitFacts(unit, unit),
    ...mapValue(value, back),
  });
  return {
    bias: interval(found.bias),
    lowerLimit: interval(found.lowerLimit),
    upperLimit: interval(found.upperLimit),
    sd: found.sd,
    withinSd: found.withinSd,
    points: Array.from(x, (value, row) => ({
      average: back((value + y[row]) / 2),
      difference: back(differences[row]),
    })),
  };
}

function checkMeasurements(values: ArrayLike<number>, name: string, positive: boolean): void {
  checkLength(values, values?.length, name);
  if (values.length === 0) throw new InvalidDataError(sentence(name, 'hold numbers', phrase('none')));
  for (let row = 0; row < values.length; row++) {
    if (!Number.isFinite(values[row]))
      throw new InvalidDataError(sentence(`${name} row ${row}`, 'be a finite number', kindOf(values[row])));
    if (positive && values[row] <= 0)
      throw new InvalidDataError(
        sentence(
          `${name} row ${row}`,
          'be above 0 on the ratio scale',
          kindOf(values[row]),
          "Use `scale: 'difference'`.",
        ),
      );
  }
}
