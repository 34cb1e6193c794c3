import { integer } from '../core/options.js';
import { portableExp } from './portableMath.js';

/** A feature behind which stands a standard normal number z; the risk is linear in z. */
export interface Measure {
  readonly kind: 'bounded' | 'normal' | 'lognormal' | 'below100';
  readonly name: string;
  /** Centre and spread of the values; their meaning depends on the kind, see {@link inUnit}. */
  readonly centre: number;
  readonly spread: number;
  /** Log-odds per unit of z. */
  readonly effect: number;
  /** Share of the variance of z that lies between patients; 1: never changes. Beyond the sites. */
  readonly betweenPatients: number;
  /** What is added to z, per unit of the level of the site. */
  readonly bySite: number;
  /** What is added to z from the beginning to the end of the time. */
  readonly byTime: number;
}

/** A yes or no that belongs to the patient; the risk is linear in its 0 or 1. */
export interface Diagnosis {
  readonly kind: 'binary';
  readonly name: string;
  readonly share: number;
  readonly effect: number;
}

export type Feature = Measure | Diagnosis;

type MeasureRow = readonly [
  name: string,
  kind: Measure['kind'],
  centre: number,
  spread: number,
  effect: number,
  betweenPatients: number,
  bySite: number,
  byTime: number,
];
const measure = ([name, kind, centre, spread, effect, betweenPatients, bySite, byTime]: MeasureRow): Measure => {
  return { name, kind, centre, spread, effect, betweenPatients, bySite, byTime };
};
const diagnosis = (name: string, share: number, effect: number): Diagnosis => ({ kind: 'binary', name, share, effect });

/** In the order in which they are taken. Invented figures of a plausible size: no study lies behind them. */
export const CLINICAL: readonly Feature[] = [
  measure(['age_years', 'bounded', 58, 34, 0.6, 1, 0, 0]),
  measure(['creatinine_mg_dl', 'lognormal', 1, 0.35, 0.55, 0.8, 0.4, 0.2]),
  measure(['systolic_mmhg', 'normal', 128, 17, -0.35, 0.6, 0, 0]),
  diagnosis('female', 0.5, -0.5),
  diagnosis('diabetes', 0.25, 0.7),
  measure(['crp_mg_l', 'lognormal', 8, 1, 0.6, 0.4, 0.4, 0.3]),
  measure(['heart_rate_per_min', 'normal', 80, 13, 0.35, 0.5, 0, 0]),
  measure(['haemoglobin_g_dl', 'normal', 13.2, 1.7, -0.5, 0.8, -0.3, 0]),
  diagnosis('heart_failure', 0.15, 0.8),
  measure(['oxygen_saturation_percent', 'below100', 3.5, 0.45, -0.4, 0.5, 0, 0]),
  measure(['sodium_mmol_l', 'normal', 139, 3.5, -0.2, 0.5, 0.3, 0]),
  measure(['urea_mmol_l', 'lognormal', 6, 0.45, 0.35, 0.7, 0.4, 0]),
  measure(['platelets_10e9_l', 'lognormal', 240, 0.3, 0, 0.85, -0.3, 0]),
  measure(['body_mass_index_kg_m2', 'lognormal', 26, 0.18, 0, 0.95, 0, 0]),
  measure(['temperature_celsius', 'normal', 36.9, 0.5, 0.25, 0.3, 0, 0]),
  diagnosis('smoker', 0.2, 0),
];

export const nFeaturesOption = integer({ min: 1, max: 10_000 }).describe(
  `Number of features: the first ${CLINICAL.length} are clinical, those beyond are noise that differs between patients.`,
);

/** The first `n` features; those beyond the clinical ones are noise by which patients are recognised. */
export function featuresOf(n: number): Feature[] {
  const noise = Math.max(0, n - CLINICAL.length);
  const digits = Math.max(2, String(noise).length);
  return [
    ...CLINICAL.slice(0, n),
    ...Array.from({ length: noise }, (_, at) =>
      measure([`noise_${String(at + 1).padStart(digits, '0')}`, 'normal', 0, 1, 0, 0.8, 0, 0]),
    ),
  ];
}

/** The value in its unit. Each kind is strictly monotone in z, so that nothing of z is lost. */
export function inUnit({ kind, centre, spread }: Measure, z: number): number {
  if (kind === 'bounded') return centre + (spread * z) / Math.sqrt(4 + z * z);
  if (kind === 'normal') return centre + spread * z;
  if (kind === 'lognormal') return centre * portableExp(spread * z);
  return 100 - centre * portableExp(-spread * z);
}

export interface Site {
  readonly id: string;
  readonly share: number;
  readonly level: number;
  readonly effect: number;
}

export const SITES: readonly Site[] = [
  { id: 'H1', share: 0.3, level: -0.6, effect: -0.4 },
  { id: 'H2', share: 0.25, level: 0, effect: 0.3 },
  { id: 'H3', share: 0.2, level: 0.5, effect: 0 },
  { id: 'H4', share: 0.15, level: -0.2, effect: -0.2 },
  { id: 'H5', share: 0.1, level: 1, effect: 0.6 },
];

export const PATIENT_SD = 2.5;
