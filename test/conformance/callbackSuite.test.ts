import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { terminal } from '#io';
import { ClassDistributionLogger } from '../../src/callbacks/classDistributionLogger.js';
import { EarlyStopping } from '../../src/callbacks/earlyStopping.js';
import { LeakageDetectionCallback } from '../../src/callbacks/leakageDetectionCallback.js';
import { LearningRateScheduler } from '../../src/callbacks/learningRateScheduler.js';
import { ModelCheckpoint } from '../../src/callbacks/modelCheckpoint.js';
import { ReduceLROnPlateau } from '../../src/callbacks/reduceLROnPlateau.js';
import { RegulatoryComplianceLogger } from '../../src/callbacks/regulatoryComplianceLogger.js';
import { TensorBoardLogger } from '../../src/node/tensorBoardLogger.js';
import type { CVCallback, EpochContext } from '../../src/runner/callback.js';
import { ProgressLogger } from '../../src/runner/progressLogger.js';
import { tempFolder } from '../helpers/tempFolder.js';
import { callbackSuite } from './callbackSuite.js';
import { failures } from './failures.js';

const { folder } = tempFolder();
const { write } = terminal;
beforeAll(() => {
  terminal.write = () => undefined;
});
afterAll(() => {
  terminal.write = write;
});

describe.each([
  { name: 'EarlyStopping', make: () => new EarlyStopping({ patience: 0 }) },
  { name: 'EarlyStopping on a metric', make: () => new EarlyStopping({ monitor: 'val_brier', patience: 0 }) },
  { name: 'LeakageDetectionCallback', make: () => new LeakageDetectionCallback() },
  { name: 'ModelCheckpoint', make: () => new ModelCheckpoint({ path: 'memory://{fold}' }) },
  { name: 'LearningRateScheduler', make: () => new LearningRateScheduler({ schedule: 'cosine' }) },
  { name: 'ReduceLROnPlateau', make: () => new ReduceLROnPlateau({ patience: 1 }) },
  { name: 'ProgressLogger', make: () => new ProgressLogger() },
  { name: 'ClassDistributionLogger', make: () => new ClassDistributionLogger() },
  { name: 'RegulatoryComplianceLogger', make: () => new RegulatoryComplianceLogger() },
  { name: 'TensorBoardLogger', make: () => new TensorBoardLogger({ directory: folder }) },
])('$name', (underTest) => {
  for (const { name, run } of callbackSuite(underTest)) it(name, run);
});

describe('the callback suite finds', () => {
  it('a callback that stops for good after its first run', async () => {
    class Once implements CVCallback {
      used = false;
      onEpochEnd(_ctx: EpochContext) {
        return this.used ? ('stop' as const) : undefined;
      }
      onCvEnd() {
        this.used = true;
      }
    }
    expect(await failures(callbackSuite({ name: 'Once', make: () => new Once() }))).toEqual([
      'Once: can be used for a second run',
    ]);
  });

  it('a callback that throws', async () => {
    const make = (): CVCallback => ({
      onFoldStart: () => {
        throw new Error('no');
      },
    });
    expect((await failures(callbackSuite({ name: 'Thrower', make }))).length).toBeGreaterThan(3);
  });
});
