/** What a result has for guidelines, as plain data. */
import type { ChecklistName } from '../../core/knownNames.js';

/** Begins what a run cannot tell. */
export const TO_DO = 'To be completed by the author';

/** One item of a guideline and what a result says to it. */
export interface EvidenceItem {
  /** The number, as published: `12a`. The FDA's draft has none: topics in our own words, as `subgroups`. */
  readonly id: string;
  /** What it asks for: a short form in our own words. */
  readonly name: string;
  /** `filled`: nothing is known to remain. `in part`: the text says what remains. `author`: the run says nothing to it. */
  readonly status: 'filled' | 'in part' | 'author';
  /** Lines of whole sentences; the last says what is left to the author, where anything is. */
  readonly text: string;
  /** Where the figures of the text stand: paths into the result and its JSON, as `manifest.n` or `checks[2].message`. */
  readonly where: readonly string[];
}

/** One guideline. */
export interface EvidenceSection {
  readonly checklist: ChecklistName;
  readonly title: string;
  /** Source and standing of the guideline. */
  readonly about: readonly string[];
  /** `2 filled, 3 in part and 5 left to the author, of 10 items`. */
  readonly counts: string;
  readonly items: readonly EvidenceItem[];
}

/** What a result says to guidelines: material for the author's own filing. */
export interface GuidelineEvidence {
  readonly note: string;
  readonly sections: readonly EvidenceSection[];
}
