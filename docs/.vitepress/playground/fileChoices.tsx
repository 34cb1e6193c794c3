import type { Busy } from './app.js';
import { Choice } from './pieces.js';
import { type FileOptions, type Reading, withFile } from './reading.js';

interface FileChoicesProps {
  readonly reading: Reading;
  readonly busy: Busy;
  read(reading: Reading): Promise<void>;
}

type Named = 'encoding' | 'decimal' | 'delimiter';

const CHOICES: readonly (readonly [Named, string, Readonly<Record<string, string>>])[] = [
  ['encoding', 'Encoding', { 'utf-8': 'utf-8', 'windows-1252': 'windows-1252', 'utf-16le': 'utf-16le' }],
  ['decimal', 'Decimal mark', { '.': 'point', ',': 'comma' }],
  ['delimiter', 'Between cells', { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe', ' ': 'blank' }],
];

/** What the reader of tables finds out by itself, for files where it cannot. */
export function FileChoices({ reading, busy, read }: FileChoicesProps) {
  const set = (name: keyof FileOptions, value: unknown) => void read(withFile(reading, { [name]: value }));
  const { alsoMissing, skip } = reading;
  return (
    <fieldset class="roles" disabled={busy !== undefined}>
      {CHOICES.map(([name, title, values]) => (
        <Choice
          key={name}
          title={title}
          value={reading[name] ?? ''}
          options={[['', 'as found'], ...Object.entries(values)]}
          choose={(value) => set(name, value || undefined)}
        />
      ))}
      <label>
        <span>
          Further texts that mean missing <small>with commas between</small>
        </span>
        <input
          type="text"
          value={alsoMissing?.join(', ') ?? ''}
          onChange={({ currentTarget }) => {
            const texts = currentTarget.value.split(',').flatMap((text) => text.trim() || []);
            set('alsoMissing', texts.length > 0 ? texts : undefined);
          }}
        />
      </label>
      <label>
        <span>
          Lines before the header <small>empty: as found</small>
        </span>
        <input
          type="number"
          min={0}
          value={skip ?? ''}
          onChange={({ currentTarget }) => {
            const { value, validity } = currentTarget;
            if (validity.valid) set('skip', value === '' ? undefined : Number(value));
          }}
        />
      </label>
    </fieldset>
  );
}
