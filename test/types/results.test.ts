/** What the types of results and of data sets let a caller write. The compiler (`npm run types`) judges; nothing is run. */
import { describe, expectTypeOf, it } from 'vitest';
import {
  type CalibrationCurve,
  type ClinicalMetrics,
  type ClinicalReport,
  type CVKitValidator,
  type Dataset,
  type Encounter,
  evaluate,
  type UniversalCVRunner,
  type ValidationResult,
} from '../../src/index.js';

describe('types', () => {
  it('of evaluate: arrays, typed arrays and rows of columns; a result of validate', () => {
    expectTypeOf(evaluate).returns.resolves.toEqualTypeOf<ValidationResult>();
    type Input = Parameters<typeof evaluate>[0];
    expectTypeOf<{ yTrue: number[]; yProba: Float32Array; patientIds: string[] }>().toExtend<Input>();
    expectTypeOf<{ yTrue: string[]; yProba: number[][]; classes: string[]; fold: number[] }>().toExtend<Input>();
    expectTypeOf<{ yTrue: Int32Array; yPred: readonly number[]; task: 'regression' }>().toExtend<Input>();
    // @ts-expect-error the truth is what predictions are held against
    const withoutTruth: Input = { yPred: [0, 1] };
    // @ts-expect-error no such method of intervals
    const withoutMethod: Input = { yTrue: [0, 1], yPred: [0, 1], ciMethod: 'guess' };
    expectTypeOf(withoutTruth).toEqualTypeOf(withoutMethod);
  });

  it('of a result: values that may be missing are null, ids are pseudonyms or raw', () => {
    expectTypeOf<ValidationResult['calibration']>().toEqualTypeOf<CalibrationCurve | null>();
    expectTypeOf<ReturnType<ValidationResult['clinical']>>().toEqualTypeOf<ClinicalReport>();
    expectTypeOf<ClinicalReport['sensitivity']['lower']>().toEqualTypeOf<number | null>();
    expectTypeOf<ClinicalReport['text']>().toEqualTypeOf<string>();
    expectTypeOf<{ prevalence: number; rows: string }>().toExtend<Parameters<ValidationResult['clinical']>[0]>();
    expectTypeOf<{ ids: 'raw' }>().toExtend<Parameters<ValidationResult['toJSON']>[0]>();
    expectTypeOf<{ ids: 'names' }>().not.toExtend<Parameters<ValidationResult['toJSON']>[0]>();
  });

  it('of the columns of a result: given to ClinicalMetrics', () => {
    type Columns = ValidationResult['outOfFold'];
    type Calculate = Parameters<ClinicalMetrics['calculateAll']>;
    expectTypeOf<[Columns['yTrue'], Columns['yPred'], { yProba: Columns['yProba'] }]>().toExtend<Calculate>();
    expectTypeOf<[Date[], Date[]]>().not.toExtend<Calculate>();
  });

  it('of a data set: given as it is, to validate and to run', () => {
    type Validate = Parameters<CVKitValidator['validate']>[0];
    expectTypeOf<Dataset & { model: () => object }>().toExtend<Validate>();
    expectTypeOf<Dataset<Encounter[]> & { model: () => object }>().toExtend<Validate>();
    type Run = Parameters<UniversalCVRunner['run']>[0];
    expectTypeOf<{ model: () => object; data: Dataset<Encounter[]> }>().toExtend<Run>();
    expectTypeOf<Dataset['X']>().toEqualTypeOf<number[][]>();
    expectTypeOf<{ model: () => object; data: Dataset }>().toExtend<Run>();
    expectTypeOf<Validate['featureNames']>().toExtend<readonly string[] | null | undefined>();
  });
});
