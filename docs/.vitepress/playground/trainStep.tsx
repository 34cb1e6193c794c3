import { plotHistory } from 'cvkit/plot';
import { useState } from 'preact/hooks';
import type { Busy, Followed } from './app.js';
import { Choice, Step, Working } from './pieces.js';
import type { Training } from './study.js';

interface TrainStepProps {
  readonly isContinuous: boolean;
  readonly busy: Busy;
  readonly progress: Followed | undefined;
  readonly problem: string | undefined;
  train(training: Training): Promise<void>;
  stop(): void;
}

const START: Training = {
  model: 'logistic',
  backend: 'auto',
  epochs: 30,
  units: 16,
};

const BACKENDS: readonly (readonly [Training['backend'], string])[] = [
  ['auto', 'what is fastest here'],
  ['wasm', 'processor (wasm)'],
  ['webgl', 'graphics card (WebGL)'],
  ['webgpu', 'graphics card (WebGPU)'],
];

export function TrainStep({ isContinuous, busy, progress, problem, train, stop }: TrainStepProps) {
  const [chosen, setTraining] = useState(START);
  const training: Training = isContinuous ? { ...chosen, model: 'network' } : chosen;
  const set = (part: Partial<Training>) => setTraining({ ...training, ...part });
  const isNetwork = training.model === 'network';
  const wholeNumber = (name: 'epochs' | 'units', title: string, most: number) => (
    <label>
      <span>{title}</span>
      <input
        type="number"
        min={1}
        max={most}
        required
        value={training[name]}
        onInput={({ currentTarget }) => {
          if (currentTarget.validity.valid) set({ [name]: currentTarget.valueAsNumber });
        }}
      />
    </label>
  );
  return (
    <Step id="train" title="4. Cross-validate" problem={problem}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void train(training);
        }}
      >
        <div class="roles">
          <label>
            <span>Model</span>
            <select
              value={training.model}
              onChange={({ currentTarget }) => set({ model: currentTarget.value as Training['model'] })}
            >
              <option value="logistic" disabled={isContinuous}>
                logistic regression{isContinuous ? ' (for classes)' : ''}
              </option>
              <option value="network">small network (TensorFlow.js)</option>
            </select>
          </label>
          {isNetwork && (
            <Choice
              title="Runs on"
              value={training.backend}
              options={BACKENDS}
              choose={(backend) => set({ backend: backend as Training['backend'] })}
            />
          )}
          {isNetwork && wholeNumber('epochs', 'Most epochs', 1000)}
          {isNetwork && wholeNumber('units', 'Hidden units', 512)}
        </div>
        {isContinuous && (
          <p>
            <small>
              The network learns the outcome as it stands: numbers far from 0 take many epochs. Compare with the
              baseline in step 5.
            </small>
          </p>
        )}
        <button type="submit" class="main" disabled={busy !== undefined}>
          Cross-validate
        </button>
      </form>
      {busy === 'train' && <Working what={wordsOf(progress)} stop={stop} />}
      {progress && <Curves {...progress} />}
    </Step>
  );
}

function wordsOf(progress: Followed | undefined): string {
  if (!progress) return 'Checking the folds …';
  const { foldsDone, nFolds, histories } = progress;
  if (foldsDone === nFolds) return 'All folds are trained. Computing the intervals …';
  const epochs = histories.at(-1)?.epochs.length;
  return `Fold ${foldsDone + 1} of ${nFolds}${epochs ? `, epoch ${epochs}` : ''} …`;
}

/** The loss of each fold, while it trains. */
function Curves({ histories }: Followed) {
  const trained = histories.filter(({ epochs }) => epochs.length > 0);
  if (trained.length === 0) return null;
  const foldDetails = trained.map((_, at) => ({ fold: `fold-${at}`, keptEpoch: null }));
  const picture = plotHistory({ histories: trained, foldDetails } as never, { title: 'Loss in each fold' });
  // cvkit's own picture: nothing of the table is in it.
  return <div class="picture" dangerouslySetInnerHTML={{ __html: String(picture) }} />;
}
