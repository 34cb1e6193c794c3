import { cleanUpAll, withCleanup } from '../../core/cleanup.js';
import type { Labels } from '../../data/labels.js';
import type { Rows } from '../../data/rows.js';
import { type ScoreTable, type ScoreTableInput, scoreTable } from '../../metrics/scoreTable.js';
import type { CVResults } from '../../runner/cvResults.js';
import { ensemble } from '../../runner/ensemble.js';
import type { EnsemblePredictions } from '../../runner/foldEnsemble.js';

interface Data {
  readonly X: Rows;
  readonly labels: Labels;
  readonly sampleWeight: ArrayLike<number> | undefined;
}

/** What the kept model of each fold predicts for the rows that it was trained on. Disposes the models. */
export function trainingTables(results: CVResults, data: Data): Promise<ScoreTable[]> {
  const { models, origin, folds } = results;
  const predictAll = async () => {
    const tables: ScoreTable[] = [];
    for (const [at, model] of models.entries()) {
      const fold = folds[at];
      if (model === null || fold.status !== 'completed') continue;
      const labelsAlone = fold.table.yProba === undefined && fold.table.task !== 'regression';
      const alone = await ensemble({ models: [model], origin }, { combine: labelsAlone ? 'vote' : 'mean' });
      const { train } = results.indices[at];
      tables.push(tableOf(results, train, await alone.predict(data.X.take(train)), data));
    }
    return tables;
  };
  return withCleanup(predictAll, () => cleanUpAll(models.map((model) => () => origin?.adapter.dispose?.(model))));
}

function tableOf(
  { metadata: { task, classes, positiveLabel } }: CVResults,
  train: Int32Array,
  { predictions, probabilities }: EnsemblePredictions,
  { labels, sampleWeight }: Data,
): ScoreTable {
  const width = (probabilities?.length ?? 0) / train.length;
  const rows =
    probabilities &&
    (width === 1
      ? probabilities
      : Array.from(train, (_, row) => Array.from(probabilities.subarray(row * width, (row + 1) * width))));
  return scoreTable({
    yTrue: labels.take(train).toArray() as ScoreTableInput['yTrue'],
    yPred: predictions as NonNullable<ScoreTableInput['yPred']>,
    task,
    ...(task === 'binary' || task === 'multiclass' ? { classes } : {}),
    ...(positiveLabel === null ? {} : { positiveLabel }),
    ...(rows ? { yProba: rows } : {}),
    ...(sampleWeight ? { sampleWeight: Array.from(train, (row) => sampleWeight[row]) } : {}),
  });
}
