/** The rows of the run that is disturbed, which each machine makes for itself. */
const X = Array.from({ length: 120 }, (_, row) => [1, Math.sin(row), Math.cos(3 * row), (row % 7) / 7]);

export const load = () => ({
  X,
  y: X.map(([, first], row) => Number(first > 0 ? row % 3 !== 0 : row % 5 === 0)),
  patientIds: X.map((_, row) => `patient-${row % 40}`),
});
