import { joinNotes } from '../../intervals/interval.js';
import type { Value } from '../../intervals/sample.js';
import { mapValue, moverSum, reciprocal } from './mover.js';

/** What the numbers are made of. */
export interface NumbersNeededInput {
  readonly youden: Value;
  readonly sensitivity: Value;
  readonly ppv: Value;
  /** PPV + NPV - 1. */
  readonly predictiveGain: Value;
  /** As given, or estimated from the sample. */
  readonly prevalence: number | Value;
  /** Share of true positives among all rows: sensitivity times the prevalence of the sample. */
  readonly detected: Value;
  /** Of the estimated prevalence with Youden's J. */
  readonly correlation: number;
  /** Share of true positives that treatment spares the outcome; null when no treatment is considered. */
  readonly treatmentEffect: number | null;
}

/**
 * Numbers needed, each the reciprocal of a value with an interval:
 * to diagnose, 1 / J; to predict, 1 / (PPV + NPV - 1); to screen, 1 / (prevalence x sensitivity), rows tested per case
 * found; `nnt`, 1 / (prevalence x J), rows tested per net correct finding, or with a treatment effect the number needed
 * to treat in the strict sense, 1 / (PPV x effect). An estimated prevalence adds its own uncertainty, on the log scale.
 *
 * Source: to diagnose and to predict, Linn & Grunau 2006, Epidemiologic Perspectives & Innovations 3:11; to screen,
 * Rembold 1998, BMJ 317:307; to treat and its impossible intervals, Altman 1998, BMJ 317:1309.
 */
export function numbersNeeded(input: NumbersNeededInput): Record<'nnt' | 'nns' | 'toDiagnose' | 'toPredict', Value> {
  const { youden, sensitivity, prevalence, detected, predictiveGain } = input;
  const given = typeof prevalence === 'number';
  const product = given ? mapValue(sensitivity, (each) => prevalence * each) : detected;
  return {
    nnt: toTreat(input),
    nns: noted(
      'NNS is the number tested per case found, 1 / (prevalence x sensitivity).',
      reciprocal(product, 'prevalence x sensitivity'),
    ),
    toDiagnose: reciprocal(youden, "Youden's J"),
    toPredict: reciprocal(predictiveGain, 'PPV + NPV - 1'),
  };
}

function toTreat({ youden, ppv, prevalence, correlation, treatmentEffect }: NumbersNeededInput): Value {
  if (treatmentEffect !== null) {
    return noted(
      `NNT is the number of positives treated per one who benefits, 1 / (PPV x ${treatmentEffect}); the effect is taken as known.`,
      reciprocal(
        mapValue(ppv, (each) => each * treatmentEffect),
        'PPV',
      ),
    );
  }
  const note =
    "NNT is the number tested per net correct finding, 1 / (prevalence x Youden's J); it is about no treatment.";
  if (typeof prevalence === 'number') {
    return noted(
      note,
      mapValue(reciprocal(youden, "Youden's J"), (each) => each / prevalence),
    );
  }
  const plain = reciprocal(youden, "Youden's J");
  const share = prevalence.estimate as number;
  if (plain.estimate === null || plain.lower === null || plain.upper === null) {
    const { lower: _, upper: __, ...said } = mapValue(plain, (each) => each / share);
    return noted(note, { ...said, lower: null, upper: null });
  }
  const sign = Math.sign(plain.estimate);
  const logs = moverSum(
    mapValue(plain, (each) => Math.log(sign * each)),
    mapValue(prevalence, (each) => -Math.log(each)),
    sign * correlation,
  );
  return noted(
    note,
    mapValue(logs, (each) => sign * Math.exp(each)),
  );
}

const noted = (note: string, value: Value): Value => ({ ...value, ...joinNotes(note, value.note) });
