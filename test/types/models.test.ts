/** What types of `model`, `adapterOptions` and data let a caller write. The compiler (`npm run types`) judges; nothing is run. */
import { describe, expectTypeOf, it } from 'vitest';
import { type OnnxModel, onnxModel } from '../../adapters/onnx/index.js';
import type { TrainStepContext } from '../../adapters/tfjs/index.js';
import { DummyClassifier, LogisticRegression } from '../../src/estimators/index.js';
import * as cvkit from '../../src/index.js';
import {
  type CVResults,
  type Dataset,
  ensemble,
  type ModelPlace,
  type PreparedModel,
  type RunOptions,
  type ValidationResult,
} from '../../src/index.js';
import { type ImageSet, type LabelledImages, readImages, type TableData } from '../../src/node/index.js';
import { Pipeline, StandardScaler } from '../../src/preprocessing/index.js';
import * as snake from '../../src/snake/index.js';

declare const X: number[][];
declare const y: number[];
const runner = new cvkit.UniversalCVRunner({ cvSplitter: new cvkit.KFold() });
const validator = new cvkit.CVKitValidator();
const keepModels = 'memory';

/** Checked, never called. */
const checked = (_: () => unknown) => undefined;

describe('types of models in results', () => {
  it('are those of the factory or the instance', () => {
    checked(async () => {
      const model = () => new LogisticRegression();
      const run = await runner.run({ model, data: [X, y], keepModels });
      expectTypeOf(run).toEqualTypeOf<CVResults<LogisticRegression, LogisticRegression>>();
      expectTypeOf(run.models).toEqualTypeOf<readonly (LogisticRegression | null)[]>();
      expectTypeOf(run.refitted?.model).toEqualTypeOf<LogisticRegression | undefined>();
      const asynchronous = await runner.run({ model: async () => model(), data: [X, y], keepModels });
      expectTypeOf(asynchronous.models).toEqualTypeOf(run.models);
      const validated = await validator.validate({ model: new LogisticRegression(), X, y, keepModels });
      expectTypeOf(validated).toEqualTypeOf<ValidationResult<LogisticRegression, LogisticRegression>>();
      expectTypeOf(validated.models).toEqualTypeOf(run.models);
      const sets = { XTrain: X, yTrain: y, XTest: X, yTest: y };
      const tested = await validator.fitValidate({ model: (ctx) => new Own(ctx.seed), ...sets, keepModels });
      expectTypeOf(tested.models).toEqualTypeOf<readonly (Own | null)[]>();
      expectTypeOf(tested.refitted?.model).toEqualTypeOf<Own | undefined>();
      const either = await runner.run({
        model: ({ index }) => (index ? model() : new DummyClassifier()),
        data: [X, y],
        keepModels,
      });
      expectTypeOf(either.models).toEqualTypeOf<readonly (LogisticRegression | DummyClassifier | null)[]>();
      return [ensemble(run), ensemble(validated)];
    });
  });

  it('have their preparation, are places, or are not kept', () => {
    checked(async () => {
      const model = () => new LogisticRegression();
      const options = { model, X, y };
      const prepared = await validator.validate({ ...options, preprocessing: new StandardScaler(), keepModels });
      expectTypeOf(prepared.models).toEqualTypeOf<readonly (PreparedModel<LogisticRegression> | null)[]>();
      expectTypeOf(prepared.refitted?.model).toEqualTypeOf<LogisticRegression | undefined>();
      const steps = await validator.validate({
        ...options,
        preprocessing: [['scale', new StandardScaler()], new StandardScaler()],
        keepModels,
      });
      expectTypeOf(steps.models).toEqualTypeOf(prepared.models);
      const none = await validator.validate({ ...options, preprocessing: null, keepModels });
      expectTypeOf(none.models).toEqualTypeOf<readonly (LogisticRegression | null)[]>();
      const saved = await validator.validate({ ...options, keepModels: 'save', modelPath: 'models/{fold}' });
      expectTypeOf(saved.models).toEqualTypeOf<readonly (ModelPlace | null)[]>();
      expectTypeOf((await validator.validate(options)).models).toEqualTypeOf<readonly null[]>();
      const pipeline = new Pipeline([new StandardScaler(), new LogisticRegression()]);
      const piped = await validator.validate({ ...options, model: pipeline, keepModels });
      expectTypeOf(piped.models).toEqualTypeOf<readonly (PreparedModel | null)[]>();
      expectTypeOf(piped.refitted?.model).toBeUnknown();
    });
  });

  it('are unknown where a file holds them or the caller does not say', () => {
    checked(async () => {
      const untyped = (): ReturnType<typeof JSON.parse> => undefined;
      const each = [
        await runner.run({ model: new URL('file:'), data: [X, y], keepModels }),
        await runner.run({ model: './model.mjs', data: [X, y], keepModels }),
        await runner.run({ model: untyped, data: [X, y], keepModels }),
        await runner.run({ model: onnxModel('a.onnx'), data: [X, y], keepModels }),
        await runner.run({ model: async (): Promise<OnnxModel> => onnxModel('a.onnx'), data: [X, y], keepModels }),
        await runner.run({} as RunOptions),
      ] as const;
      expectTypeOf(each).toEqualTypeOf<readonly [CVResults, CVResults, CVResults, CVResults, CVResults, CVResults]>();
    });
  });

  it('leave mistakes where they are', () => {
    const model = () => new LogisticRegression();
    // @ts-expect-error unknown option
    checked(() => runner.run({ model, data: [X, y], epoch: 3 }));
    // @ts-expect-error no way to keep models
    checked(() => runner.run({ model, data: [X, y], keepModels: 'saved' }));
    // @ts-expect-error a number is no model
    checked(() => runner.run({ model: 3, data: [X, y] }));
    // @ts-expect-error no step
    checked(() => runner.run({ model, data: [X, y], preprocessing: { scale: true } }));
    // @ts-expect-error unknown option
    checked(() => validator.validate({ model, X, y, patientId: y }));
  });
});

class Own {
  constructor(readonly seed: number) {}
}

describe('types of engine options', () => {
  it('know the argument of a `trainStep`, and names that are proposed with room for own ones', () => {
    const model = () => new LogisticRegression();
    checked(() =>
      validator.validate({
        ...{ model, X, y },
        adapterOptions: {
          backend: 'wasm',
          trainStep: (step) => {
            expectTypeOf(step).toEqualTypeOf<TrainStepContext>();
            return step.optimizer.minimize(() => step.y);
          },
        },
      }),
    );
    checked(() =>
      snake.CVKitValidator().validate({
        ...{ model: new Own(1), X, y },
        adapter_options: { backend: 'wasm', trainStep: (step) => expectTypeOf(step).toEqualTypeOf<TrainStepContext>() },
      }),
    );
    checked(() => runner.run({ model, data: [X, y], optimizer: 'adam', lossFn: 'binaryCrossentropy' }));
    // @ts-expect-error no function
    checked(() => validator.validate({ model, X, y, adapterOptions: { trainStep: 'step' } }));
  });
});

describe('types of data', () => {
  it('are spread into validate as readers and loaders give them', () => {
    checked(async () => {
      const model = () => new LogisticRegression();
      const images = await readImages('scans', { labelsFrom: 'folder' });
      await validator.validate({ model, ...images });
      await validator.validate({ model, ...(await readImages([{ file: 'a.png', y: 1, group: 'p' }])) });
      await validator.validate({ model, ...(await readImages('scans/all.csv')) });
      await validator.validate({ model, ...({} as TableData), keepModels });
      await validator.validate({ model, ...(await cvkit.loadDiabeticReadmission()) });
      await validator.validate({ model, ...({} as Dataset) });
      expectTypeOf(images).toEqualTypeOf<LabelledImages>();
      const unlabelled = await readImages('scans');
      expectTypeOf(unlabelled).toEqualTypeOf<ImageSet>();
      // @ts-expect-error no labels
      return validator.validate({ model, ...unlabelled });
    });
  });
});
