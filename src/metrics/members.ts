// Written by `npm run generate` from the files of the members. To add one, add its file.

import { f1, netBenefitAtHalf, npv, ppv, precision, recall, sensitivity, specificity } from './definitions/binary.js';
import {
  accuracy,
  balancedAccuracy,
  cohenKappa,
  cohenKappaLinear,
  cohenKappaQuadratic,
  f1Macro,
  f1Micro,
  f1Weighted,
  mcc,
} from './definitions/multiclass.js';
import { dice, f1Samples, hammingLoss, iou } from './definitions/multilabel.js';
import { brier, calibrationIntercept, calibrationSlope, ece, logLoss, scaledBrier } from './definitions/probability.js';
import { averagePrecision, rocAuc, rocAucOvoMacro, rocAucOvrMacro } from './definitions/ranking.js';
import { concordanceCorrelation, explainedVariance, mae, mse, r2, rmse } from './definitions/regression.js';

export const METRICS = [
  sensitivity,
  recall,
  specificity,
  precision,
  ppv,
  npv,
  f1,
  netBenefitAtHalf,
  accuracy,
  balancedAccuracy,
  f1Macro,
  f1Micro,
  f1Weighted,
  mcc,
  cohenKappa,
  cohenKappaLinear,
  cohenKappaQuadratic,
  hammingLoss,
  dice,
  f1Samples,
  iou,
  brier,
  scaledBrier,
  logLoss,
  ece,
  calibrationSlope,
  calibrationIntercept,
  rocAuc,
  rocAucOvrMacro,
  rocAucOvoMacro,
  averagePrecision,
  mse,
  rmse,
  mae,
  r2,
  explainedVariance,
  concordanceCorrelation,
];
