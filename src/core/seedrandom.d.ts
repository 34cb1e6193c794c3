declare module 'seedrandom/lib/alea.js' {
  export default function alea(seed: string): { int32(): number; double(): number };
}
