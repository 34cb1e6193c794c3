import { MARKED, Status, Step, Working } from './pieces.js';
import type { Assessment, Finding } from './study.js';

interface ChecksStepProps {
  readonly assessment: Assessment | undefined;
  readonly problem: string | undefined;
  stop(): void;
}

export function ChecksStep({ assessment, problem, stop }: ChecksStepProps) {
  return (
    <Step id="checks" title="3. Design, leaks, balance" problem={problem} result={assessment ?? 'none yet'}>
      {assessment ? (
        <Found {...assessment} />
      ) : (
        problem === undefined && <Working what="Splitting the rows, and looking for leaks …" stop={stop} />
      )}
    </Step>
  );
}

/** Checks that ask for something come first. */
const ORDER = ['failed', 'error', 'needs_review', 'not_evaluated', 'passed', 'not_detectable', 'not_applicable'];
const rank = ({ status }: Finding) => ORDER.indexOf(status);

function Found({ design, rationale, warnings, code, balance, verdict, findings }: Assessment) {
  const sorted = findings.toSorted((a, b) => rank(a) - rank(b));
  const open = sorted.filter((each) => rank(each) < ORDER.indexOf('passed'));
  const rest = sorted.slice(open.length);
  return (
    <>
      <h3>
        Recommended design: <code>{design}</code>
      </h3>
      <ul>
        {[...rationale, ...warnings].map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <details>
        <summary>The same in a program</summary>
        <pre tabIndex={0}>{code}</pre>
      </details>
      <h3>Leaks</h3>
      <p class={`verdict ${verdict.status}`}>{verdict.text}</p>
      <p>
        <small>
          About the table and its folds. Step 5 gives the verdict of the evaluation, which knows how it prepares the
          columns.
        </small>
      </p>
      <FindingList findings={open} />
      {open.length > 0 && (
        <p>
          <small>{MARKED}</small>
        </p>
      )}
      {rest.length > 0 && (
        <details>
          <summary>
            {rest.length} other {rest.length === 1 ? 'check' : 'checks'}
          </summary>
          <FindingList findings={rest} />
        </details>
      )}
      <h3>Balance</h3>
      <p>{balance}</p>
    </>
  );
}

const FindingList = ({ findings }: { readonly findings: readonly Finding[] }) => (
  <ul class="findings">
    {findings.map(({ code, type, status, message, fix }) => (
      <li key={code}>
        <Status status={status} />{' '}
        <a href={`../checks/${code}`} target="_blank" rel="noopener">
          {code}
        </a>{' '}
        {type.replaceAll('_', ' ')}. {message}
        {fix && rank({ status } as Finding) < ORDER.indexOf('passed') && <p class="fix">{fix}</p>}
      </li>
    ))}
  </ul>
);
