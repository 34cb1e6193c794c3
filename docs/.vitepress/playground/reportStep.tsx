import { useEffect, useMemo } from 'preact/hooks';
import { Step } from './pieces.js';
import type { Outcome } from './study.js';

interface ReportStepProps {
  readonly outcome: Outcome;
  readonly name: string;
}

const shown = (value: number | null) => (value === null ? '—' : value.toFixed(3).replace(/^-(?=0\.0+$)/, ''));

export function ReportStep({ outcome, name }: ReportStepProps) {
  const { verdict, scores, level, html, json, summary } = outcome;
  const page = useMemo(() => URL.createObjectURL(new Blob([html], { type: 'text/html' })), [html]);
  useEffect(() => () => URL.revokeObjectURL(page), [page]);
  const notes = [...new Set(scores.flatMap(({ note }) => note ?? []))];
  const stem = name.replace(/\.[\w.]+$/, '');
  return (
    <Step id="report" title="5. The report" result={outcome}>
      <p class={`verdict ${verdict.status}`}>{verdict.text}</p>
      <section class="scroll" tabIndex={0} aria-label="Scores">
        <table>
          <thead>
            <tr>
              <th scope="col">score</th>
              <th scope="col">estimate</th>
              <th scope="col">{100 * level} % interval</th>
              <th scope="col">baseline</th>
            </tr>
          </thead>
          <tbody>
            {scores.map(({ metric, estimate, lower, upper, baseline, note }) => (
              <tr key={metric}>
                <th scope="row">{metric}</th>
                <td class="number">{shown(estimate)}</td>
                <td class="number">
                  {lower === null ? '—' : `${shown(lower)} to ${shown(upper)}`}
                  {note !== undefined && <span class="mark"> *{notes.indexOf(note) + 1}</span>}
                </td>
                <td class="number">{shown(baseline)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {notes.length > 0 && (
        <ul class="notes">
          {notes.map((note, at) => (
            <li key={note}>
              *{at + 1} {note}
            </li>
          ))}
        </ul>
      )}
      <p class="save">
        <a class="main" href={page} download={`${stem}-report.html`}>
          Save the report
        </a>
        <Save name={`${stem}-report.json`} type="application/json" text={json} label="Save the numbers (JSON)" />
      </p>
      <p>Both hold values of your table: treat them as the data.</p>
      <details>
        <summary>Summary as text</summary>
        <pre tabIndex={0}>{summary}</pre>
      </details>
      <iframe title="Report" src={page} sandbox="" />
    </Step>
  );
}

function Save({ name, type, text, label }: Readonly<Record<'name' | 'type' | 'text' | 'label', string>>) {
  const url = useMemo(() => URL.createObjectURL(new Blob([text], { type })), [text, type]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return (
    <a href={url} download={name}>
      {label}
    </a>
  );
}
