/** Refuses, before anything is trained, what cannot be sent to another thread, and says what to do instead. */
import { AdapterError, CVKitError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import type { Rows } from '../data/rows.js';
import type { Preparation } from '../preprocessing/preparation.js';
import type { FoldServices } from './executor.js';
import type { AdapterSession } from './frameworkAdapter.js';
import { moduleUrl } from './modelSource.js';
import type { RunCall } from './runOptions.js';
import type { Scorer } from './scoring.js';

interface Checked {
  readonly X: Rows;
  readonly localTraining: FoldServices['training'];
  readonly scorers: readonly Scorer[];
  readonly preparation: Preparation | undefined;
}

const MODULE = 'the module of the model';

/** Throws {@link InvalidOptionError} where the executor works elsewhere and a part of the run cannot go there. */
export function checkElsewhere({ runner, run }: RunCall, { X, localTraining, scorers, preparation }: Checked): void {
  const { executor, adapter, adapterOptions } = runner.options;
  if (executor === 'inline' || !executor.elsewhere) return;
  const refuse = (option: string, must: string, got: string, way: string) => {
    const subject = `The \`${option}\` option with the executor '${nameText(executor.name)}'`;
    throw new InvalidOptionError(sentence(subject, must, phrase(got), way), { code: 'bound_to_thread' });
  };
  const { model, keepModels } = run.options;
  if (moduleUrl(model) === undefined) {
    refuse(
      'model',
      'be the file: URL of a module, since a function cannot leave its thread',
      typeof model === 'function' ? 'a function' : isText(model) ? 'another address' : 'a model',
      "Put `export default (ctx) => ...` into a file of its own, model.mjs, and pass new URL('./model.mjs', import.meta.url).",
    );
  }
  if (adapter) {
    const way = `Call registerAdapter in ${MODULE}, and pass its name as \`framework\`.`;
    refuse('adapter', 'be left out, since an object cannot leave its thread', 'an adapter', way);
  }
  const bound = Object.keys(localTraining)[0];
  if (bound) {
    const way = bound === 'augment' ? 'Augment in the model itself.' : `Compile the model in ${MODULE}.`;
    refuse(bound, 'be a name, since a function cannot leave its thread', 'a function or an object', way);
  }
  const options = Object.entries(adapterOptions).find(([, value]) => typeof value === 'function');
  if (options) {
    refuse(`adapterOptions.${options[0]}`, 'be plain data', 'a function', 'Run the folds in this thread.');
  }
  const own = scorers.find(({ recomputable }) => !recomputable);
  if (own) {
    const way = 'Score the table: (table) => number.';
    refuse('scoring', 'hold functions of the table', `'${nameText(own.name)}', a function of the model`, way);
  }
  const unable = preparation && refusedBy(() => preparation.toJSON());
  if (unable) refuse('preprocessing', 'be steps that plain data tell', unable, 'Run the folds in this thread.');
  if (keepModels === 'memory') {
    const way = "Use keepModels: 'save' with a `modelPath`.";
    refuse('keepModels', "be 'none' or 'save', since a model cannot leave its thread", "'memory'", way);
  }
  if (holdsSource(X)) {
    refuse('data', 'hold rows in memory, since a row source cannot leave its thread', 'a row source', 'Load the rows.');
  }
}

/** Why it cannot be done, as a phrase; undefined where it can. */
function refusedBy(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof CVKitError) return `one that they do not. ${error.message.replace(/\.$/, '')}`;
    throw error;
  }
}

const isText = (model: unknown) => typeof model === 'string' || model instanceof URL;

const holdsSource = ({ kind, parts }: Rows): boolean =>
  kind === 'source' || Object.values(parts ?? {}).some(holdsSource);

/** Throws {@link AdapterError} where the executor works elsewhere and the engine cannot be opened there. */
export function checkEngineElsewhere({ runner }: RunCall, { elsewhere }: AdapterSession): void {
  const { executor } = runner.options;
  if (executor === 'inline' || !executor.elsewhere || !elsewhere || !('refused' in elsewhere)) return;
  const subject = `The engine of models with the executor '${nameText(executor.name)}'`;
  const must = 'be one that other threads can open';
  throw new AdapterError(sentence(subject, must, phrase(elsewhere.refused)), { code: 'bound_to_thread' });
}
