import type { Guideline } from './guideline.js';
import { checked, disjointness } from './statements/checked.js';
import { classShares, events, flow, missing, preparation, size } from './statements/data.js';
import { externalTesting, internalTesting, partitions, robustness, subgroups } from './statements/design.js';
import { ensembles, initialisation, model, selection, software, training } from './statements/model.js';
import {
  baseline,
  calibration,
  crossTabulation,
  failedFolds,
  heterogeneity,
  measures,
  performance,
  uncertainty,
} from './statements/performance.js';

/** CLAIM, update of 2024: artificial intelligence in medical imaging. 44 items. */
export const claim: Guideline = {
  title: 'CLAIM 2024',
  source:
    'Tejani AS et al., Checklist for Artificial Intelligence in Medical Imaging, 2024 update, Radiology: Artificial Intelligence 2024 (© RSNA).',
  standing: [
    'A reporting checklist for artificial intelligence in medical imaging: 44 items. Its numbers and topics were read from secondary listings.',
  ],
  items: [
    { id: '1', name: 'title' },
    { id: '2', name: 'abstract' },
    { id: '3', name: 'background' },
    { id: '4', name: 'objectives' },
    { id: '5', name: 'study design' },
    { id: '6', name: 'goal of the study' },
    { id: '7', name: 'sources of the data' },
    { id: '8', name: 'eligibility' },
    { id: '9', name: 'preprocessing', by: [preparation, checked('preprocessing')] },
    { id: '10', name: 'choice of subsets' },
    { id: '11', name: 'de-identification' },
    { id: '12', name: 'missing data', by: [missing] },
    { id: '13', name: 'acquisition of images' },
    { id: '14', name: 'definition of the reference standard' },
    { id: '15', name: 'reason for the reference standard' },
    { id: '16', name: 'annotators' },
    { id: '17', name: 'procedure of annotation' },
    { id: '18', name: 'variability of annotation' },
    { id: '19', name: 'assignment to partitions', by: [partitions], left: 'why the rows were divided so' },
    { id: '20', name: 'level at which partitions are disjoint', by: [disjointness] },
    { id: '21', name: 'size of the test set', by: [flow, size], left: 'how the size was arrived at' },
    { id: '22', name: 'architecture of the model', by: [model] },
    { id: '23', name: 'software and frameworks', by: [software] },
    { id: '24', name: 'initialisation', by: [initialisation] },
    { id: '25', name: 'training', by: [training] },
    { id: '26', name: 'selection of the final model', by: [selection] },
    { id: '27', name: 'ensembles', by: [ensembles] },
    { id: '28', name: 'measures of performance', by: [measures], left: 'why these measures' },
    { id: '29', name: 'uncertainty', by: [uncertainty] },
    { id: '30', name: 'robustness', by: [robustness, heterogeneity] },
    { id: '31', name: 'explainability' },
    { id: '32', name: 'internal testing', by: [internalTesting] },
    { id: '33', name: 'external testing', by: [externalTesting] },
    { id: '34', name: 'registration' },
    { id: '35', name: 'flow of cases', by: [flow] },
    { id: '36', name: 'demographics of each partition', by: [classShares, events] },
    { id: '37', name: 'performance', by: [performance, baseline, subgroups] },
    { id: '38', name: 'accuracy with intervals', by: [performance, calibration] },
    { id: '39', name: 'analysis of failures', by: [crossTabulation, failedFolds], left: 'why these cases failed' },
    { id: '40', name: 'limitations' },
    { id: '41', name: 'implications for practice' },
    { id: '42', name: 'protocol' },
    { id: '43', name: 'availability of code, model and data' },
    { id: '44', name: 'funding' },
  ],
};
