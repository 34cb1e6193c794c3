/** The options of commands, as commander gives them: each command reads its own. */

/** Which columns are what, and how the file is read. */
export interface TableFlags {
  readonly target?: string;
  readonly time?: string;
  readonly event?: string;
  readonly groups?: string;
  readonly timestamps?: string;
  readonly sites?: string;
  readonly coordinates?: string[];
  readonly weights?: string;
  readonly columns?: string[];
  readonly drop?: string[];
  readonly types?: Record<string, string>;
  readonly positiveLabel?: string;
  readonly task?: string;
  readonly independentRows?: boolean;
  readonly preparedInside?: boolean;
  readonly notApplicable?: string[];
  readonly acknowledge?: Record<string, string>;
  readonly missingTarget?: string;
  readonly missing?: string[];
  readonly detectionLimit?: string;
  readonly delimiter?: string;
  readonly decimal?: string;
  readonly encoding?: string;
  readonly dateFormat?: string;
  readonly format?: string;
  readonly skip?: number;
  readonly sheet?: string;
}

export interface StudyFlags extends TableFlags {
  readonly model?: string;
  readonly gives?: string;
  readonly epochs?: number;
  readonly metrics?: string[];
  readonly times?: number[];
  readonly aggregate?: string;
  readonly cause?: number;
  readonly ciFits?: number;
  readonly folds?: string;
  readonly design?: string;
  readonly tune?: string;
  readonly method?: string;
  readonly cv?: number;
  readonly seed?: number;
  readonly directory?: string;
  readonly jobs?: number;
  readonly shard?: string;
  readonly dryRun?: boolean;
  readonly save?: string;
}

export interface ShownFlags {
  readonly quiet?: boolean;
  readonly color?: boolean;
  readonly debug?: boolean;
  readonly outputFile?: string;
  readonly force?: boolean;
  readonly report?: string;
  readonly reporter?: string;
  readonly details?: boolean;
  readonly strict?: boolean;
  readonly exitZero?: boolean;
  readonly yes?: boolean;
}

export type Flags = StudyFlags & ShownFlags & Readonly<Record<string, unknown>>;

/** What was not written is not there. */
export const definedOf = (fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Files that a command reads. */
export const filesRead = (files: readonly string[], { tune, folds, model }: Flags): string[] =>
  [...files, tune, folds, model].filter((file): file is string => typeof file === 'string');
