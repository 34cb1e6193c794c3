import type { Busy } from './app.js';
import { Choice, Step, Working } from './pieces.js';
import { type Reading, ROLES, type Role, type Use, useOf, withPositive, withRole, withUse } from './reading.js';
import type { Statements, TableView } from './study.js';

interface ColumnsStepProps {
  readonly table: TableView;
  readonly reading: Reading;
  readonly busy: Busy;
  readonly problem: string | undefined;
  readonly statements: Statements;
  state(statements: Statements): void;
  choose(reading: Reading): Promise<void>;
  assess(): Promise<void>;
}

const MEANINGS: Readonly<Record<Role, readonly [string, string]>> = {
  target: ['Outcome', 'what the model shall predict'],
  groups: ['Patient', 'rows of one patient stay on one side of each fold'],
  timestamps: ['Time', 'when a row was measured'],
  sites: ['Site', 'hospital, scanner, ward'],
};

const USES: Readonly<Record<Use, string>> = {
  '': 'as the reader takes it',
  drop: 'leave out',
  categorical: 'categories',
  numeric: 'numbers',
};

const same = (name: string) => [name, name] as const;

/** Rows of the table of columns; genes can be thousands. */
const MOST = 60;

export function ColumnsStep({ table, reading, busy, problem, statements, state, choose, assess }: ColumnsStepProps) {
  const { file, rows, notes } = table;
  const columns = [...table.columns, ...(reading.drop ?? []).map(leftOut)];
  // Whoever leaves a column out of thousands must be able to take it back.
  const shown = columns.filter(({ name }, at) => at < MOST || useOf(reading, name) !== '');
  const tick = (name: keyof Statements, words: string) => (
    <label class="word">
      <input
        type="checkbox"
        checked={statements[name]}
        onChange={({ currentTarget }) => state({ ...statements, [name]: currentTarget.checked })}
      />
      {words}
    </label>
  );
  const count = (number: number | null) => number?.toLocaleString('en') ?? '';
  return (
    <Step id="columns" title="2. Its columns" problem={problem} result="columns">
      <p>
        <strong>{file}</strong>: {count(rows)} {rows === 1 ? 'row' : 'rows'}, {count(columns.length)}{' '}
        {columns.length === 1 ? 'column' : 'columns'}. Say what the columns are; the others that hold numbers or
        categories are features. If cells are not read as they should be, see “How the file is read” in step 1.
      </p>
      <div class="roles">
        {ROLES.map((role) => (
          <Choice
            key={role}
            title={MEANINGS[role][0]}
            meaning={MEANINGS[role][1]}
            value={reading[role] ?? ''}
            disabled={busy !== undefined}
            options={[['', role === 'target' ? 'choose a column' : 'none'], ...columns.map(({ name }) => same(name))]}
            choose={(column) => void choose(withRole(reading, role, column))}
          />
        ))}
        {table.classes.length > 0 && (
          <Choice
            title="Positive class"
            meaning="the one that sensitivity is about"
            value={reading.positiveLabel ?? ''}
            disabled={busy !== undefined}
            options={[['', 'choose, or as cvkit knows it'], ...table.classes.map(same)]}
            choose={(label) => void choose(withPositive(reading, label))}
          />
        )}
      </div>
      <section class="scroll" tabIndex={0} aria-label="Columns of the table">
        <table>
          <thead>
            <tr>
              <th scope="col">column</th>
              <th scope="col">type</th>
              <th scope="col">is</th>
              <th scope="col">take it</th>
              <th scope="col">different values</th>
              <th scope="col">missing</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ name, type, role, missing, distinct }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{type}</td>
                <td>{ROLE_WORDS[role] ?? role}</td>
                <td>
                  {!ROLES.some((each) => reading[each] === name) && (
                    <select
                      aria-label={`Take ${name}`}
                      value={useOf(reading, name)}
                      disabled={busy !== undefined}
                      onChange={({ currentTarget }) => void choose(withUse(reading, name, currentTarget.value as Use))}
                    >
                      {Object.entries(USES).map(([use, words]) => (
                        <option key={use} value={use}>
                          {words}
                        </option>
                      ))}
                    </select>
                  )}
                </td>
                <td class="number">{count(distinct)}</td>
                <td class="number">
                  {missing === 0 ? '' : `${count(missing)} (${((100 * missing) / rows).toFixed(1)} %)`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {columns.length > shown.length && <p>And {count(columns.length - shown.length)} more.</p>}
      {notes.length > 0 && (
        <details open={notes.length <= 4}>
          <summary>
            {notes.length} {notes.length === 1 ? 'note' : 'notes'} of the reader
          </summary>
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      )}
      <fieldset disabled={busy !== undefined}>
        <legend>What only you know; the checks take your word for it</legend>
        {!reading.groups && tick('independentRows', 'Each row is another patient.')}
        {tick(
          'preparedInside',
          'Nothing in this table was computed over all rows: no scaling, no filling of gaps, no choice of columns by the outcome.',
        )}
      </fieldset>
      {busy === 'choose' && <Working what="Reading the table …" />}
      <button type="button" class="main" disabled={busy !== undefined || !reading.target} onClick={() => void assess()}>
        Check this table
      </button>
      {!reading.target && <p>Choose the outcome first.</p>}
    </Step>
  );
}

/** The reader of tables has nothing to say of these. */
const leftOut = (name: string) => ({ name, type: '', role: 'left out', missing: 0, distinct: null });

const ROLE_WORDS: Readonly<Record<string, string>> = {
  X: 'feature',
  y: 'outcome',
  groups: 'patient',
  timestamps: 'time',
  'hierarchy.site': 'site',
};
