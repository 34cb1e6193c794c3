/** All scenarios of the leakage suite: planted leaks, clean twins, and points of the power curves. */
import { copyScenarios } from './scenarios/copies.mjs';
import { coincidences, duplicates } from './scenarios/duplicates.mjs';
import { givenIds } from './scenarios/givenIds.mjs';
import { identifiers } from './scenarios/identifiers.mjs';
import { imageProxies } from './scenarios/imageProxies.mjs';
import { mixedTables } from './scenarios/mixedTables.mjs';
import { nearDuplicates } from './scenarios/nearDuplicates.mjs';
import { pictures } from './scenarios/pictures.mjs';
import { scenarios as preprocessing } from './scenarios/preprocessing.mjs';
import { scenarios as preprocessingKinds } from './scenarios/preprocessingKinds.mjs';
import { proxies } from './scenarios/proxies.mjs';
import { questionnaireScenarios } from './scenarios/questionnaires.mjs';
import { sharedUnits } from './scenarios/sharedUnits.mjs';
import { shiftPower, shiftScenarios } from './scenarios/shift.mjs';
import { shiftKinds } from './scenarios/shiftKinds.mjs';
import { structureScenarios } from './scenarios/structure.mjs';
import { scenarios as target } from './scenarios/target.mjs';
import { training } from './scenarios/training.mjs';
import { windows } from './scenarios/windows.mjs';
import { writtenNumbers } from './scenarios/writtenNumbers.mjs';

/** Types by code: what `check(X, y, { only })` takes, and what reports call the others. */
const TYPES = {
  CVL001: 'patient',
  CVL002: 'duplicate',
  CVL003: 'near_duplicate',
  CVL004: 'temporal',
  CVL005: 'feature_statistics',
  CVL006: 'spatial_proximity',
  CVL007: 'label_distribution',
  CVL008: 'hierarchical',
  CVL009: 'feature_target',
  CVL010: 'preprocessing',
  CVL011: 'identifier',
  CVL012: 'site_confounding',
  CVL013: 'identity_confounding',
  CVL014: 'permutation_gap',
  CVB001: 'class_balance',
  leakageInflation: 'the price of a leak',
};

/** Rows that coincide by chance are no copies. */
const coincident = coincidences.map((each) => ({ ...each, kind: 'clean', corpus: each.effect }));

/** The same scenes at effects below and above what is promised. */
const power = shiftPower.flatMap(({ check, n, unit, effects, make }) =>
  effects.map((effect) => ({
    id: `${check}-power-${n}-${effect}`,
    check,
    kind: 'planted',
    n,
    effect: `${effect} ${unit} in one fold of 5`,
    goal: false,
    make: (random) => make(random, effect),
  })),
);

/** An interval of 95 % lies above 0 by chance in one set of forty. */
const withoutGoal = ({ check }) => (check === 'leakageInflation' ? { goal: false } : {});

export const SCENARIOS = [
  ...duplicates,
  ...copyScenarios,
  ...sharedUnits,
  ...coincident,
  ...identifiers,
  ...givenIds,
  ...nearDuplicates,
  ...mixedTables,
  ...pictures,
  ...windows,
  ...preprocessing,
  ...preprocessingKinds,
  ...shiftScenarios,
  ...shiftKinds,
  ...power,
  ...structureScenarios,
  ...target,
  ...writtenNumbers,
  ...training,
  ...proxies,
  ...imageProxies,
  ...questionnaireScenarios,
].map((scenario) => ({
  ...scenario,
  ...withoutGoal(scenario),
  id: [scenario.check, scenario.kind, scenario.id.replaceAll(/[^\w.]+/g, '-')].join('-'),
  type: TYPES[scenario.check],
}));

const twice = SCENARIOS.find(({ id }, at) => SCENARIOS.findIndex((each) => each.id === id) !== at);
if (twice) throw new Error(`Two scenarios have the id ${twice.id}.`);
