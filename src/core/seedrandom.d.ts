declare module 'seedrandom/lib/alea.js' {
  /** Johannes Baagøe's Alea generator. */
  export default function alea(seed: string): { int32(): number; double(): number };
}
