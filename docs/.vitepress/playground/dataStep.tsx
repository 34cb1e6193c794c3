import { useEffect, useState } from 'preact/hooks';
import type { Busy } from './app.js';
import { EXAMPLES } from './examples.js';
import { FileChoices } from './fileChoices.js';
import { Step, Working } from './pieces.js';
import type { Reading } from './reading.js';

interface DataStepProps {
  readonly busy: Busy;
  readonly problem: string | undefined;
  readonly file: File | undefined;
  readonly reading: Reading;
  open(source: () => File | Promise<File>, reading?: Reading): Promise<void>;
}

export function DataStep({ busy, problem, file, reading, open }: DataStepProps) {
  const [over, setOver] = useState(false);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (problem !== undefined) setShown(true);
  }, [problem]);
  const take = (files: FileList | null | undefined) => {
    const [file] = files ?? [];
    if (file) void open(() => file);
  };
  // Anywhere on the page: a file that misses the box would replace the page, and the work with it.
  useEffect(() => {
    const listeners = new AbortController();
    const on = (name: 'dragover' | 'dragleave' | 'drop', isOver: boolean) =>
      document.addEventListener(
        name,
        (event) => {
          if (!event.dataTransfer?.types.includes('Files')) return;
          event.preventDefault();
          setOver(isOver);
          if (name === 'drop') take(event.dataTransfer.files);
        },
        { signal: listeners.signal },
      );
    on('dragover', true);
    on('dragleave', false);
    on('drop', false);
    return () => listeners.abort();
  });
  return (
    <Step id="data" title="1. A table" problem={problem}>
      <label class={over ? 'drop over' : 'drop'}>
        <span>
          <strong>Drop a CSV file here</strong>, or choose one: also TSV, JSON lines, .npy, and .gz of these
        </span>
        <input
          type="file"
          accept=".csv,.tsv,.tab,.txt,.data,.jsonl,.ndjson,.npy,.gz"
          disabled={busy !== undefined}
          onChange={({ currentTarget }) => {
            take(currentTarget.files);
            currentTarget.value = '';
          }}
        />
      </label>
      <p>Or try one of these:</p>
      <ul class="examples">
        {EXAMPLES.map((each) => (
          <li key={each.title}>
            <button type="button" disabled={busy !== undefined} onClick={() => void open(each.file, each.reading)}>
              {each.title}
            </button>{' '}
            {each.about}
          </li>
        ))}
      </ul>
      {file && (
        <details open={isShown} onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
          <summary>How the file is read</summary>
          <FileChoices reading={reading} busy={busy} read={(next) => open(() => file, next)} />
        </details>
      )}
      {busy === 'open' && <Working what="Reading the table …" />}
    </Step>
  );
}
