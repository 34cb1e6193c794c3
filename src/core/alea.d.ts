/** Johannes Baagøe's Alea generator as packaged by seedrandom. */
export default function alea(seed: string): { int32(): number; double(): number };
