import alea from 'seedrandom/lib/alea.js';

/** Two visits of 24 patients: noise, with little to learn, so that some folds stop early. */
export function load() {
  const n = 48;
  const random = alea('44');
  const y = Array.from({ length: n }, (_, row) => Number(row % 24 < 12));
  const data = Float32Array.from(
    { length: n * 36 },
    (_, at) => 0.4 * random() + 0.3 * y[Math.floor(at / 36)] * (at % 2),
  );
  return { X: { data, shape: [n, 6, 6, 1] }, y, patientIds: y.map((_, row) => `patient-${row % 24}`) };
}
