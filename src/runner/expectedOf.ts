/** What a call would take, from its folds alone. Loaded when it is asked for. */
import { errorOf } from '../core/errorRecord.js';
import { FoldError, InvalidOptionError } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { formatDuration, wholeNumber } from '../core/format.js';
import { mean, sum } from '../core/numbers.js';
import { factLines } from '../core/summaryText.js';
import { labelWidth, probaWidth } from '../metrics/scoreTable.js';
import { truthTable } from './checkPredictions.js';
import { checkElsewhere } from './checkRun.js';
import { dataModule, type PlannedTask, type TaskEnvironment } from './coordinate.js';
import { DryRun } from './dryRun.js';
import type { FoldLink, FoldTask } from './executor.js';
import { inlineExecutor } from './inlineExecutor.js';
import type { Prepared } from './prepare.js';
import type { FinishedFold } from './runDirectory.js';
import type { Session } from './session.js';

/** Models that a call trains further its folds. */
export interface FurtherFits {
  readonly what: string;
  readonly models: number;
}

const OF_SEARCH = 'The folds of a search follow from earlier ones, so they are not known before it.';

/** What the loop would run. */
interface Folds {
  readonly environment: TaskEnvironment;
  readonly planned: Iterable<PlannedTask>;
  readonly onAllRows: PlannedTask;
}

/** @param further models that the caller trains further the folds, each with the inner ones of a fold */
export async function expectedOf(
  prepared: Prepared,
  session: Session,
  { environment, planned, onAllRows }: Folds,
  further: readonly FurtherFits[] = [],
): Promise<DryRun> {
  const { call, folds } = prepared;
  const { directory, adapter } = session;
  const { apparent, refit, verifyIsolation, shard } = call.run.options;
  const tasks = Array.from(planned, ({ task }) => task);
  const faulty = tasks.find(({ fault }) => fault);
  if (faulty?.fault && prepared.onFoldError === 'throw') throw new FoldError(faulty.ctx.fold, errorOf(faulty.fault));
  const trains = Number(adapter.capabilities.trains);
  const each = Math.max(...tasks.map(({ inner }) => 1 + inner.length));
  const whole = (apparent || refit) && shard === undefined ? [onAllRows.task] : [];
  const again = verifyIsolation && folds.length > 1 ? 2 : 0;
  const fitsOf = (some: readonly FoldTask[]) => trains * sum(some.map(({ inner }) => 1 + inner.length));
  const parts = [
    { what: each > 1 ? 'in folds, inner ones included' : 'in folds', models: fitsOf(tasks) },
    { what: 'on all rows', models: fitsOf(whole) },
    { what: 'for `verifyIsolation`', models: trains * again },
    ...further.map(({ what, models }) => ({ what, models: trains * models * each })),
  ].filter(({ models }, at) => at === 0 || models > 0);
  const finished = new Map((await directory?.finished())?.map((one) => [one.key, one]));
  const disk = await environment.kept?.();
  const own = tasks.flatMap((task) => finished.get(disk?.keyOf(task) ?? '') ?? []);
  const others = tasks.length + whole.length + again + sum(further.map(({ models }) => models));
  const link: FoldLink = {
    ...environment,
    emit: async () => ({}),
    forMachines: () => ({ ...environment.forMachines(), directory: disk }),
  };
  const why = directory && (call.tuning ? OF_SEARCH : whyNotElsewhere(prepared));
  const place = directory && why === undefined ? await (await import('#node')).writeFolds(link, tasks) : null;
  const expected = {
    folds: folds.length,
    fits: sum(parts.map(({ models }) => models)),
    kept: own.length,
    seconds: secondsOf(own.length > 0 ? own : [...finished.values()], others - finished.size, environment.executor),
    bytes: bytesOf(prepared, tasks, [...finished.values()]) * (others - whole.length - again),
    tasks: place,
  };
  const part = call.tuning || shard !== undefined ? undefined : `1/${folds.length}`;
  return new DryRun(
    expected,
    summaryOf(expected, { parts, why, part, place: directory?.place, numbers: tasks.map(({ ctx }) => ctx.index) }),
  );
}

interface Words {
  readonly place: string | undefined;
  readonly parts: readonly FurtherFits[];
  /** Why there are no tasks for other machines. */
  readonly why: string | undefined;
  readonly numbers: readonly number[];
  readonly part: string | undefined;
}

function summaryOf(
  { folds, fits, kept, seconds, bytes, tasks }: ConstructorParameters<typeof DryRun>[0],
  { place, parts, why, numbers, part }: Words,
): string {
  const worker = `npx cvkit worker ${shellWord(nameText(place ?? '', 200))} --task`;
  const time = () => {
    if (seconds !== null) return `about ${formatDuration(seconds)} for what is left, as finished folds took`;
    if (place === undefined) return 'not known: a `runDirectory` with a finished fold tells it';
    const ways = [
      ...(tasks === null ? [] : [`\`${worker} ${numbers[0]}\``]),
      ...(part === undefined ? [] : [`the call with \`shard: '${part}'\` in the same directory`]),
    ];
    const way = ways.join(', or ') || 'begin the call, end it with Ctrl-C once some are done';
    return `not known before a fold is finished: ${way}, and then this again`;
  };
  const size =
    bytes < 1e6 ? `${wholeNumber(Math.ceil(bytes / 1000))} kB` : `${wholeNumber(Math.round(bytes / 1e6))} MB`;
  const range = `N from ${numbers[0]} to ${numbers.at(-1)}`;
  const elsewhere = `\`${worker} N\`, ${range}, anywhere; then the call without \`dryRun\``;
  const further = parts.map(({ what, models }) => `${wholeNumber(models)} ${what}`).join(', ');
  return [
    'Dry run: nothing was trained.',
    ...factLines([
      ['Folds', `${wholeNumber(folds)}${place === undefined ? '' : `, ${kept} of them in the run directory already`}`],
      ['Model fits', `${wholeNumber(fits)}: ${further}`],
      ['Time', time()],
      ['Disk', `about ${size} of outcomes with a run directory; models are not counted`],
      ...(place === undefined
        ? []
        : [['Tasks', tasks === null ? `none for other machines. ${why}` : elsewhere] as const]),
    ]),
  ].join('\n');
}

const shellWord = (text: string): string => (/^[\w./\\:-]+$/.test(text) ? text : `"${text}"`);

/** As long as those that are finished; those whose time is not known do not count. */
function secondsOf(finished: readonly FinishedFold[], tasks: number, { concurrency }: { concurrency: number }) {
  const known = finished.flatMap(({ seconds }) => (seconds > 0 ? [seconds] : []));
  if (known.length === 0) return tasks > 0 || finished.length === 0 ? null : 0;
  return (mean(known) * Math.max(0, tasks)) / Math.max(1, Math.min(concurrency, tasks));
}

/** Of one outcome: as those that are finished, else as long as numbers are in JSON. */
function bytesOf({ y, positive, adjust }: Prepared, tasks: readonly FoldTask[], finished: readonly FinishedFold[]) {
  if (finished.length > 0) return mean(finished.map(({ bytes }) => bytes));
  const truth = truthTable(y.take(tasks[0].test), positive, undefined);
  const row =
    7 +
    labelWidth(truth) * (truth.task === 'regression' ? 20 : 2) +
    (truth.task === 'regression' ? 0 : 20 * probaWidth(truth));
  const rows = tasks.map(
    ({ test, train, probe }) => (adjust ? 2 : 1) * test.length + (train?.length ?? 0) + (probe?.length ?? 0),
  );
  return Math.round(mean(rows) * row) + 1000;
}

function whyNotElsewhere(prepared: Prepared): string | undefined {
  const { call } = prepared;
  const executor = { ...inlineExecutor, name: 'cvkit worker', elsewhere: 'machines' as const };
  const elsewhere = { ...call, runner: { ...call.runner, options: { ...call.runner.options, executor } } };
  try {
    checkElsewhere(elsewhere, { ...prepared, hasModule: dataModule(prepared) !== undefined });
    return undefined;
  } catch (error) {
    if (error instanceof InvalidOptionError) return error.message;
    throw error;
  }
}
