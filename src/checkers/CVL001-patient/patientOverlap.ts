import { show } from '../../core/errors.js';
import { counted, wholeNumber } from '../../core/format.js';
import type { Label } from '../../data/labels.js';
import { groupsOf } from '../../data/sideData.js';
import { type Check, notApplicable, passed, undecided } from '../check.js';
import {
  bothSides,
  inFolds,
  keepPatientsWhole,
  lookedAt,
  overlapOf,
  type SplitExample,
  splitEvidence,
  splitExamples,
} from '../overlap.js';
import { type IdQuestions, idQuestions } from './idQuestions.js';

/** What CVL001 counted. */
export type PatientDetails = IdQuestions['evidence'] & {
  /** Patients on both sides of a fold; where there are none, all patients. */
  readonly patients: number;
  /** The first folds with such patients; where there are none, the number of folds. */
  readonly folds: number | readonly string[];
  readonly examples?: readonly SplitExample[];
};

/**
 * CVL001: no patient has rows on both sides of a fold. Exact, over every fold.
 *
 * Source: Saeb et al. 2017, GigaScience 6(5) (record-wise splits inflate performance).
 */
export const patientOverlap: Check<PatientDetails> = {
  code: 'CVL001',
  type: 'patient',
  kind: 'leakage',
  cost: 'fast',
  page: 'docs/checks/CVL001.md',
  description: 'A patient (group) has rows on both the training and the test side of a fold.',
  needs: ['groups'],
  whenMissing({ independentRows, folds: { n }, repeatedIds = {} }) {
    if (!independentRows) {
      return undecided(
        'It is not known which rows belong to the same patient.',
        'Pass `patientIds` (or `groups`), or `independentRows: true` if each row is its own patient.',
      );
    }
    const word = `On the author's word each of the ${counted(n, 'row')} is its own patient (\`independentRows\`)`;
    const [found] = Object.entries(repeatedIds);
    if (!found) return notApplicable(`${word}, so no fold can split one.`, { authorsWord: 'independentRows' });
    const [name, values] = found;
    return {
      status: 'needs_review',
      severity: 'medium',
      message: `${word}, but the column ${show(name)} has ${wholeNumber(values)} values in them.`,
      evidence: { patients: values },
      fix: `If these are patients, pass \`groups: ${show(name)}\` to readTable in place of \`independentRows\`; else pass \`acknowledged: { CVL001: 'what they are' }\`.`,
    };
  },
  assess(input) {
    const { folds, data } = input;
    const groups = groupsOf(data.groups as ArrayLike<Label>, folds.n);
    const overlap = overlapOf(folds, groups.codes, groups.count);
    const patients = counted(groups.count, 'patient');
    const { merged, notes, fixes, evidence } = idQuestions(groups, input);
    const note = notes.map((text) => ` ${text}`).join('');
    const split = overlap.split.length;
    if (split > 0) {
      return {
        status: 'failed',
        severity: 'critical',
        fold: overlap.folds[0],
        message: `${wholeNumber(split)} of ${patients} ${split === 1 ? 'is' : 'are'} ${bothSides(input)}${inFolds(overlap.folds.length, input)}.${note}`,
        evidence: {
          patients: split,
          ...evidence,
          ...splitEvidence(overlap, input, groups.ids),
        },
        concerns: overlap.concerns,
        fix: keepPatientsWhole(input),
      };
    }
    const message = `No patient is ${bothSides(input)} ${lookedAt([patients], input)}.`;
    const facts = { patients: groups.count, ...evidence, folds: folds.length };
    if (notes.length === 0) return passed(message, facts);
    const between = merged && overlapOf(folds, merged.codes, merged.count);
    const torn = between?.split.length ?? 0;
    const also = torn > 0 ? ` ${counted(torn, 'such patient')} would be ${bothSides(input)}.` : '';
    return {
      status: 'needs_review',
      severity: torn > 0 ? 'medium' : 'low',
      ...(between && torn > 0 ? { fold: between.folds[0], concerns: between.concerns } : {}),
      message: `${message} But${note}${also}`,
      evidence: { ...facts, ...(between && torn > 0 ? { examples: splitExamples(between, input) } : {}) },
      fix: fixes.join(' '),
    };
  },
};
