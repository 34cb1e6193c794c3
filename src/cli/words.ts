/** Sentences of cvkit name options of its functions; on the command line these are flags. */

/** A study or a model: its author writes JavaScript. */
export const isModule = (file: string): boolean => /\.[cm]?[jt]s$/i.test(file);

const FLAGS: Readonly<Record<string, string>> = {
  ...{
    target: '--target',
    time: '--time',
    event: '--event',
    groups: '--groups',
    timestamps: '--timestamps',
    sites: '--sites',
    coordinates: '--coordinates',
    sampleWeight: '--weights',
  },
  ...{ columns: '--columns', drop: '--drop', types: '--types', positiveLabel: '--positive-label' },
  ...{
    independentRows: '--independent-rows',
    preparedInside: '--prepared-inside',
    notApplicable: '--not-applicable',
    acknowledged: '--acknowledge',
    dryRun: '--dry-run',
    missingTarget: '--missing-target',
    alsoMissing: '--missing',
  },
  ...{ detectionLimit: '--detection-limit', delimiter: '--delimiter', decimal: '--decimal', encoding: '--encoding' },
  ...{ dateFormat: '--date-format', format: '--format', skip: '--skip', sheet: '--sheet', method: '--method' },
  ...{
    nSplits: '--cv',
    cv: '--cv',
    randomState: '--seed',
    metrics: '--metrics',
    times: '--times',
    causeOfInterest: '--cause',
    aggregate: '--aggregate',
    runDirectory: '--directory',
  },
  ...{
    ciFits: '--ci-fits',
    nJobs: '--jobs',
    shard: '--shard',
    epochs: '--epochs',
    gives: '--gives',
    overwrite: '--force',
  },
};

/** Written alone, a name may be that of a column; these are nobody's columns. */
const isOurs = (name: string) => /[A-Z]/.test(name);

/** A text of cvkit as one who uses the command line would say it. */
export function inFlags(text: string): string {
  return text
    .replace(
      'Name the codes among them: `tabular({ codes: [...] })`; `codes: []` when all are amounts.',
      'Say what each is: `--types NAME=categorical` for codes, `--types NAME=numeric` for amounts.',
    )
    .replace(/`types: \{ '([^'`]*)': '(\w+)' \}`/g, '`--types "$1=$2"`')
    .replace('or name the column in `codes` to take', 'or pass `--types NAME=categorical` to take')
    .replace(/`patientIds`\s+\(or\s+`groups`\)/g, '`--groups COLUMN`')
    .replace(/;\s+summary\(\{\s+details:\s+true\s+\}\)\s+says\s+more/g, '; `--details` says more')
    .replace(/summary\(\{\s+details:\s+true\s+\}\)/g, '`--details`')
    .replace(/`acknowledged:\s+\{\s+(\w+):\s+'([^`]*)'\s+\}`/g, '`--acknowledge "$1=$2"`')
    .replace(/`notApplicable:\s+\['(\w+)'\]`/g, '`--not-applicable $1`')
    .replace(/`hierarchy`/g, '`--sites COLUMN`')
    .replace(/`(\w+):\s+(\d+)`/g, (whole, name, number) => (name in FLAGS ? `\`${FLAGS[name]} ${number}\`` : whole))
    .replace(/[Tt]he `(\w+)` option( of \w+)?/g, (whole, name) => FLAGS[name] ?? whole)
    .replace(/`(\w+):\s+(?:'([^'`]*)'|"([^"`]*)"|true)`/g, (whole, name, single, double) =>
      name in FLAGS ? `\`${[FLAGS[name], single ?? double].filter(Boolean).join(' ')}\`` : whole,
    )
    .replace(/`(\w+)`/g, (whole, name) => (name in FLAGS && isOurs(name) ? `\`${FLAGS[name]}\`` : whole));
}
