/** Trials of a journal as a study takes them. */
import { CVKitError, phrase, sentence } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import type { Distribution, Params, ParamValue } from '../distribution.js';
import type { FrozenTrial } from '../frozenTrial.js';
import { distributionOf, externalOf, type StoredDistribution } from './journalDistributions.js';
import { FAIL_REASON } from './opLines.js';
import { fixedParams, type Replay, type StoredStudy, type StoredTrial } from './replay.js';

/**
 * The trials of a study, in the order of their numbers.
 *
 * @throws {CVKitError} `invalid_journal`: a range that cannot be searched here, or a choice that is none.
 */
export function trialsOf(study: StoredStudy, { trials }: Replay): FrozenTrial[] {
  // Most trials have the same distributions.
  const known = new Map<StoredDistribution, Distribution>();
  const distributionFor = (name: string, stored: StoredDistribution): Distribution => {
    const distribution = known.get(stored) ?? distributionOf(name, stored);
    known.set(stored, distribution);
    return distribution;
  };
  return study.trials.map((id) => trialOf(trials[id], distributionFor));
}

function trialOf(trial: StoredTrial, distributionFor: (name: string, stored: StoredDistribution) => Distribution) {
  const { number, state, values } = trial;
  const drawn = new Map<string, ParamValue>();
  const distributions = new Map<string, Distribution>();
  for (const [name, { internal, distribution }] of trial.params) {
    const value = externalOf(distribution, internal);
    if (value === undefined) throw noChoice(trial, name, internal);
    drawn.set(name, value);
    distributions.set(name, distributionFor(name, distribution));
  }
  // A trial that is to be tried (again) takes what it was given.
  const given = state === 'waiting' || state === 'running' ? (fixedParams(trial) as Params) : {};
  const reason = trial.systemAttrs.get(FAIL_REASON);
  return Object.freeze({
    number,
    state,
    value: values?.[0] ?? null,
    params: Object.freeze({ ...given, ...Object.fromEntries(drawn) }),
    distributions: Object.freeze(Object.fromEntries(distributions)),
    intermediateValues: new Map([...trial.reports].sort(([a], [b]) => a - b)),
    userAttrs: Object.freeze(Object.fromEntries(trial.userAttrs)),
    ...(state === 'failed' ? { reason: typeof reason === 'string' ? reason : 'the journal holds no reason' } : {}),
    startedAt: trial.startedAt,
    endedAt: trial.endedAt,
  } satisfies FrozenTrial);
}

const noChoice = ({ study, number }: StoredTrial, name: string, place: number): CVKitError =>
  new CVKitError(
    sentence(
      `Trial ${number} of the study '${nameText(study.name)}'`,
      `have one of the choices of '${nameText(name)}'`,
      phrase(`the place ${place}, where there is none`),
    ),
    { code: 'invalid_journal' },
  );
