import type { Busy } from './app.js';
import { Step, Working } from './pieces.js';
import type { Roles, Statements, TableView } from './study.js';

interface ColumnsStepProps {
  readonly table: TableView;
  readonly roles: Roles;
  readonly busy: Busy;
  readonly problem: string | undefined;
  readonly statements: Statements;
  state(statements: Statements): void;
  choose(roles: Roles): Promise<void>;
  assess(): Promise<void>;
}

const ROLES: readonly (readonly [keyof Roles, string, string])[] = [
  ['target', 'Outcome', 'what the model shall predict'],
  ['groups', 'Patient', 'rows of one patient stay on one side of each fold'],
  ['timestamps', 'Time', 'when a row was measured'],
  ['sites', 'Site', 'hospital, scanner, ward'],
];

/** Rows of the table of columns; genes can be thousands. */
const MOST = 60;

export function ColumnsStep({ table, roles, busy, problem, statements, state, choose, assess }: ColumnsStepProps) {
  const { file, rows, columns, notes } = table;
  const withRole = (role: keyof Roles, column: string): Roles => {
    // The positive class is one of the outcome that was.
    const isKept = ([name, each]: [string, string]) =>
      name !== role && each !== column && !(role === 'target' && name === 'positiveLabel');
    const kept = Object.entries(roles).filter(isKept);
    return Object.fromEntries(column === '' ? kept : [...kept, [role, column]]);
  };
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
    <Step id="columns" title="2. Its columns" problem={problem}>
      <p>
        <strong>{file}</strong>: {count(rows)} rows, {count(columns.length)} columns. Say what the columns are; the
        others that hold numbers or categories are features.
      </p>
      <div class="roles">
        {ROLES.map(([role, title, meaning]) => (
          <label key={role}>
            <span>
              {title} <small>{meaning}</small>
            </span>
            <select
              value={roles[role] ?? ''}
              disabled={busy !== undefined}
              onChange={({ currentTarget }) => void choose(withRole(role, currentTarget.value))}
            >
              <option value="">{role === 'target' ? 'choose a column' : 'none'}</option>
              {columns.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        ))}
        {table.classes.length > 0 && (
          <label>
            <span>
              Positive class <small>the one that sensitivity is about</small>
            </span>
            <select
              value={roles.positiveLabel ?? ''}
              disabled={busy !== undefined}
              onChange={({ currentTarget }) => void choose(withRole('positiveLabel', currentTarget.value))}
            >
              <option value="">choose, or as cvkit knows it</option>
              {table.classes.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <section class="scroll" tabIndex={0} aria-label="Columns of the table">
        <table>
          <thead>
            <tr>
              <th scope="col">column</th>
              <th scope="col">type</th>
              <th scope="col">is</th>
              <th scope="col">different values</th>
              <th scope="col">missing</th>
            </tr>
          </thead>
          <tbody>
            {columns.slice(0, MOST).map(({ name, type, role, missing, distinct }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{type}</td>
                <td>{ROLE_WORDS[role] ?? role}</td>
                <td class="number">{count(distinct)}</td>
                <td class="number">
                  {missing === 0 ? '' : `${count(missing)} (${((100 * missing) / rows).toFixed(1)} %)`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {columns.length > MOST && <p>And {count(columns.length - MOST)} more.</p>}
      {notes.length > 0 && (
        <details open={notes.length <= 4}>
          <summary>{notes.length} notes of the reader</summary>
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      )}
      <fieldset disabled={busy !== undefined}>
        <legend>What only you know; the report repeats it as your statement</legend>
        {!roles.groups && tick('independentRows', 'Each row is another patient.')}
        {tick(
          'preparedInside',
          'Nothing in this table was computed over all rows: no scaling, no filling of gaps, no choice of columns by the outcome.',
        )}
      </fieldset>
      {busy === 'open' && <Working what="Reading the table …" />}
      <button type="button" class="main" disabled={busy !== undefined || !roles.target} onClick={() => void assess()}>
        Check this table
      </button>
      {!roles.target && <p>Choose the outcome first.</p>}
    </Step>
  );
}

const ROLE_WORDS: Readonly<Record<string, string>> = {
  X: 'feature',
  y: 'outcome',
  groups: 'patient',
  timestamps: 'time',
  'hierarchy.site': 'site',
};
