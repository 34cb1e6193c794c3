/** The page: five steps, each there when the one before is done. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ChecksStep } from './checksStep.js';
import { ColumnsStep } from './columnsStep.js';
import { DataStep } from './dataStep.js';
import { call, Stopped, stop } from './engineClient.js';
import type { Reading } from './reading.js';
import { ReportStep } from './reportStep.js';
import type { Assessment, Outcome, Progress, Statements, TableView, Training } from './study.js';
import { TrainStep } from './trainStep.js';

/** How far the training is, with the logs of all epochs by fold. */
export interface Followed extends Progress {
  readonly histories: readonly { readonly epochs: readonly Readonly<Record<string, number>>[] }[];
}

function followed(before: Followed | undefined, next: Progress): Followed {
  const histories = [...(before?.histories ?? [])];
  const { epoch } = next;
  if (epoch) histories[epoch.fold] = { epochs: [...(histories[epoch.fold]?.epochs ?? []), epoch.logs] };
  return { ...next, histories };
}

const NOTHING_STATED: Statements = { independentRows: false, preparedInside: false };

/** The work of step 1, 2, 3 or 4. */
export type Busy = 'open' | 'choose' | 'assess' | 'train' | undefined;

export function App() {
  const [file, setFile] = useState<File>();
  const [reading, setReading] = useState<Reading>({});
  const [statements, setStatements] = useState(NOTHING_STATED);
  const [table, setTable] = useState<TableView>();
  const [assessment, setAssessment] = useState<Assessment>();
  const [progress, setProgress] = useState<Followed>();
  const [outcome, setOutcome] = useState<Outcome>();
  const [busy, setBusy] = useState<Busy>();
  const [problem, setProblem] = useState<{ readonly at: Busy; readonly message: string }>();

  /** The work that goes on. What was stopped may end after the next has begun. */
  const going = useRef<object>();

  const keepFocus = useFocusKept(busy);

  /** One piece of work at a time; its error is shown at its step. */
  async function during(what: Exclude<Busy, undefined>, work: () => Promise<void>) {
    if (going.current) return;
    const own = {};
    going.current = own;
    keepFocus();
    setBusy(what);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Stopped)) setProblem({ at: what, message: (error as Error).message });
    } finally {
      if (going.current === own) {
        going.current = undefined;
        setBusy(undefined);
      }
    }
  }

  const forgetFrom = (step: 'table' | 'assessment' | 'outcome') => {
    if (step === 'table') setTable(undefined);
    if (step !== 'outcome') setAssessment(undefined);
    setProgress(undefined);
    setOutcome(undefined);
  };

  const open = (source: () => File | Promise<File>, chosen: Reading = {}) =>
    during('open', async () => {
      forgetFrom('table');
      // They were about another table.
      setStatements(NOTHING_STATED);
      const next = await source();
      // Before it is read: what cannot be read so may be read in another way.
      setFile(next);
      setReading(chosen);
      setTable(await call('open', [next, chosen]));
    });

  /** What the reader of tables refuses is not taken: the worker keeps the table as it was. */
  const choose = (next: Reading) =>
    during('choose', async () => {
      forgetFrom('assessment');
      const read = await call('open', [file as File, next]);
      setReading(next);
      setTable(read);
    });

  const assess = () =>
    during('assess', async () => {
      forgetFrom('assessment');
      setAssessment(await call('assess', [statements]));
    });

  const train = (training: Training) =>
    during('train', async () => {
      forgetFrom('outcome');
      const follow = (next: Progress) => setProgress((before) => followed(before, next));
      setOutcome(await call('train', [training], follow));
    });

  /** The next worker has to read the table again. */
  async function halt() {
    stop();
    going.current = undefined;
    setProgress(undefined);
    await during('choose', async () => {
      await call('open', [file as File, reading]);
      if (assessment) await call('assess', [statements]);
    });
  }

  const problemAt = (step: Busy) => (problem && problem.at === step ? problem.message : undefined);
  return (
    <>
      <header>
        <a class="home" href="../">
          cvkit
        </a>
        <h1>Playground</h1>
        <p>
          Cross-validate a table in this page. <strong>Your data stay here:</strong> everything is computed on this
          computer. The policy of the page lets it load its own files alone, and lets no script send or fetch anything (
          <code>connect-src 'none'</code>). Once it is loaded it works without a network.
        </p>
      </header>
      <main aria-busy={busy !== undefined}>
        <DataStep busy={busy} problem={problemAt('open')} file={file} reading={reading} open={open} />
        {table && (
          <ColumnsStep
            table={table}
            reading={reading}
            busy={busy}
            problem={problemAt('choose')}
            statements={statements}
            state={(next) => {
              forgetFrom('assessment');
              setStatements(next);
            }}
            choose={choose}
            assess={assess}
          />
        )}
        {table && (assessment || busy === 'assess' || problemAt('assess')) && (
          <ChecksStep assessment={assessment} problem={problemAt('assess')} stop={halt} />
        )}
        {assessment && (
          <TrainStep
            isContinuous={table?.isContinuous ?? false}
            busy={busy}
            progress={progress}
            problem={problemAt('train')}
            train={train}
            stop={halt}
          />
        )}
        {outcome && <ReportStep outcome={outcome} name={table?.file ?? 'table'} />}
      </main>
      <footer>
        cvkit computes numbers and records how they came about. It is not a medical device, and whether a study meets a
        regulation is for its authors to judge. <a href="./licences.txt">Licences</a> of what is in this page.
      </footer>
    </>
  );
}

/** Work disables what began it, which loses the focus: it returns to it, or to the main button of its step, unless a new step has it. */
function useFocusKept(busy: Busy): () => void {
  const before = useRef<{ readonly element: Element | null; readonly step: Element | null }>();
  useEffect(() => {
    if (busy !== undefined || !before.current) return;
    const { element, step } = before.current;
    before.current = undefined;
    if (document.activeElement !== document.body) return;
    const home = element?.isConnected ? element : (step?.isConnected ? step : document).querySelector('button.main');
    (home as HTMLElement | null)?.focus();
  }, [busy]);
  return () => {
    const { activeElement } = document;
    before.current = { element: activeElement, step: activeElement?.closest('main > section') ?? null };
  };
}
