import { useState } from 'preact/hooks';
import type { Busy } from './app.js';
import { EXAMPLES } from './examples.js';
import { Step, Working } from './pieces.js';
import type { Roles } from './study.js';

interface DataStepProps {
  readonly busy: Busy;
  readonly problem: string | undefined;
  open(source: () => File | Promise<File>, roles?: Roles): Promise<void>;
}

export function DataStep({ busy, problem, open }: DataStepProps) {
  const [over, setOver] = useState(false);
  const take = (files: FileList | null | undefined) => {
    const [file] = files ?? [];
    if (file) void open(() => file);
  };
  return (
    <Step id="data" title="1. A table" problem={problem}>
      <label
        class={over ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          take(event.dataTransfer?.files);
        }}
      >
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
            <button type="button" disabled={busy !== undefined} onClick={() => void open(each.file, each.roles)}>
              {each.title}
            </button>{' '}
            {each.about}
          </li>
        ))}
      </ul>
      {busy === 'open' && <Working what="Reading the table …" />}
    </Step>
  );
}
