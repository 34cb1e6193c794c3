/** What several steps show. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface StepProps {
  readonly title: string;
  readonly id: string;
  readonly problem?: string | undefined;
  /** New with each result that the step shows; a step without one appears where it is, and leaves the view to others. */
  readonly result?: unknown;
  readonly children: ComponentChildren;
}

/** Options that errors and findings name, for who has no program. */
export const MARKED =
  'Names in code marks are options of a program. Step 1 chooses how the file is read, step 2 what each column is and what you state; other options are for programs alone.';

/** A part of the page with its heading; comes into view with what it has to show. */
export function Step({ title, id, problem, result, children }: StepProps) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (result === undefined) return;
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    place.current?.scrollIntoView({ block: 'start', behavior: isStill ? 'auto' : 'smooth' });
    place.current?.focus({ preventScroll: true });
  }, [result]);
  return (
    <section id={id} aria-labelledby={`${id}-title`} ref={place} tabIndex={-1}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
          {problem.includes('`') && <small class="word">{MARKED}</small>}
        </p>
      )}
    </section>
  );
}

interface ChoiceProps {
  readonly title: string;
  readonly meaning?: string;
  readonly value: string;
  readonly disabled?: boolean;
  /** Each with the words that are shown for it. */
  readonly options: readonly (readonly [value: string, words: string])[];
  choose(value: string): void;
}

/** One of several, with its title. */
export const Choice = ({ title, meaning, value, disabled, options, choose }: ChoiceProps) => (
  <label>
    <span>
      {title} {meaning && <small>{meaning}</small>}
    </span>
    <select value={value} disabled={disabled} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      {options.map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
  </label>
);

const WORDS: Readonly<Record<string, string>> = {
  passed: 'passed',
  passed_with_acknowledgements: 'passed, with acknowledgements',
  failed: 'failed',
  needs_review: 'needs review',
  not_evaluated: 'not evaluated',
  not_fully_verified: 'not fully verified',
  not_applicable: 'does not apply',
  not_detectable: 'cannot be found in data like these',
  error: 'error',
};

/** A status in words; the colour only repeats them. */
export const Status = ({ status }: { readonly status: string }) => (
  <span class={`status ${status}`}>{WORDS[status] ?? status}</span>
);

export const Working = ({ what, stop }: { readonly what: string; readonly stop?: () => void }) => (
  <p class="working" role="status">
    {what}
    {stop && (
      <button type="button" onClick={stop}>
        Stop
      </button>
    )}
  </p>
);
