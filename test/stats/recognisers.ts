/** Patients for tests of leaks, and models that know persons. All fixed by a seed. */
import { randomSource } from '../../src/core/random.js';

export interface People {
  readonly X: number[][];
  readonly y: number[];
  readonly groups: string[];
}

/**
 * Patients with one label each and several rows. `own` is the spread of what is the person's alone, `signal` what the
 * disease adds to the first feature; rows vary by a standard normal.
 */
export function people({ seed = 1, patients = 40, rows = 4, own = 0, signal = 0 } = {}): People {
  const random = randomSource(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
  const all = Array.from({ length: patients }, (_, patient) => {
    const label = patient % 2;
    const person = [own * normal(), own * normal(), own * normal()];
    return Array.from({ length: rows }, () => ({
      x: person.map((value, j) => value + normal() + (j === 0 ? signal * label : 0)),
      label,
      group: `patient ${patient}`,
    }));
  }).flat();
  return { X: all.map(({ x }) => x), y: all.map(({ label }) => label), groups: all.map(({ group }) => group) };
}

/** The share of class 1 among the three nearest training rows: it knows a person again. */
export class Neighbours {
  rows: number[][] = [];
  labels: number[] = [];

  fit(X: number[][], y: number[]): this {
    this.rows = X;
    this.labels = y;
    return this;
  }

  predictProba(X: number[][]): number[][] {
    return X.map((row) => {
      const nearest = this.rows
        .map((other, at) => ({ at, far: row.reduce((sum, value, j) => sum + (value - other[j]) ** 2, 0) }))
        .sort((a, b) => a.far - b.far)
        .slice(0, 3);
      const share = nearest.reduce((sum, { at }) => sum + this.labels[at], 0) / 3;
      return [1 - share, share];
    });
  }

  predict(X: number[][]): number[] {
    return this.predictProba(X).map(([, share]) => Number(share > 0.5));
  }
}

/** Says its first number of rows whose patient (the third) it was trained on, else the second. */
export class Acquaintance {
  known = new Set<number>();

  fit(X: number[][], _y: number[], _sampleWeight?: number[]): this {
    this.known = new Set(X.map(([, , patient]) => patient));
    return this;
  }

  predictProba(X: number[][]): number[][] {
    return X.map(([a, b, patient]) => (this.known.has(patient) ? [1 - a, a] : [1 - b, b]));
  }

  predict(X: number[][]): number[] {
    return this.predictProba(X).map(([, p]) => Number(p > 0.5));
  }
}
