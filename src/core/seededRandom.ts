/** `Math.random` from a seed, for libraries that draw from it. */
import { workScope } from '#io';
import { callCaller } from './callerCode.js';
import { type RandomSource, randomSource } from './random.js';

/** What a piece of work draws from: its stream, or what it has put in the place of `Math.random` itself. */
interface Draws {
  readonly stream: RandomSource;
  replaced?: typeof Math.random;
}

const scope = workScope<Draws>();

/** `Math.random` as it was before ours: the host's own, or that of another copy of this module. */
let below = Object.getOwnPropertyDescriptor(Math, 'random') as PropertyDescriptor;
/** Pieces of work with a seed that go on. */
let users = 0;

const fromBelow = (): typeof Math.random => (below.get ? below.get.call(Math) : below.value);
const seeded = () => scope.get()?.stream.random() ?? fromBelow()();

/** `Math.random` as each one sees it: work with a seed its stream, all others the host's own function. */
const OURS: PropertyDescriptor = {
  configurable: true,
  enumerable: false,
  get() {
    const draws = scope.get();
    return draws ? (draws.replaced ?? seeded) : fromBelow();
  },
  set(random: typeof Math.random) {
    const draws = scope.get();
    if (draws) draws.replaced = random;
    else if (below.set) below.set.call(Math, random);
    else below = { ...below, value: random };
  },
};

/**
 * Runs `work` while `Math.random` is a stream of `seed`, then puts the host's own back, also after an error.
 *
 * This is how unseeded weight initialisers, dropout masks and mljs forests become reproducible: their libraries draw
 * from `Math.random`. Nested use takes the innermost stream. In Node the stream belongs to `work` and to what it awaits:
 * pieces of work that overlap have streams of their own, and other code of the host sees its own `Math.random` all the
 * while. Where there is no Node that holds for synchronous work alone; asynchronous work must not overlap there.
 */
export function withSeededRandom<T>(seed: number, work: () => T): T {
  const draws: Draws = { stream: randomSource(seed) };
  install(draws);
  let result: T;
  try {
    result = scope.run(draws, () => callCaller(work));
  } catch (error) {
    leave();
    throw error;
  }
  if (result instanceof Promise) return result.finally(leave) as T;
  leave();
  return result;
}

/** Puts ours in place, unless it works already: it may lie below what others have put over it. */
function install(draws: Draws): void {
  users++;
  if (scope.run(draws, () => Math.random === seeded)) return;
  below = Object.getOwnPropertyDescriptor(Math, 'random') as PropertyDescriptor;
  Object.defineProperty(Math, 'random', OURS);
}

/** Who has put something else over ours keeps it. */
function leave(): void {
  users--;
  if (users > 0 || Object.getOwnPropertyDescriptor(Math, 'random')?.get !== OURS.get) return;
  Object.defineProperty(Math, 'random', below);
}
